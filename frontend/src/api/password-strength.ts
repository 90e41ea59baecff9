import { useEffect, useState } from "react";
import { api } from "./client";
import type { components } from "./schema";

export type PasswordStrength = components["schemas"]["PasswordStrength"];

/** The server is asked once typing has paused for this long. */
const PAUSE_MS = 350;

async function assess(password: string, username: string, signal: AbortSignal): Promise<PasswordStrength | null> {
  try {
    const { data } = await api.POST("/api/password-strength", { body: { password, username }, signal });
    return data ?? null;
  } catch {
    // It is only advice: the server judges the password again when it is chosen.
    return null;
  }
}

/**
 * How good the password typed so far is; null while nothing is typed, and if the server does not say. A visitor's
 * password is also compared with the username typed so far, a user's with their own.
 */
export function usePasswordStrength(password: string, username = ""): PasswordStrength | null {
  const [strength, setStrength] = useState<PasswordStrength | null>(null);
  // What is typed next has nothing to do with what was deleted.
  if (password === "" && strength !== null) setStrength(null);
  useEffect(() => {
    if (password === "") return undefined;
    const request = new AbortController();
    const { signal } = request;
    const timer = setTimeout(
      () => void assess(password, username, signal).then((found) => signal.aborted || setStrength(found)),
      PAUSE_MS,
    );
    return () => {
      clearTimeout(timer);
      request.abort();
    };
  }, [password, username]);
  return strength;
}
