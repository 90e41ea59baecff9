import { api, errorCode, type ErrorCode, refusalMessage, unwrap } from "@/api/client";
import { askForPasskey } from "@/api/passkeys";
import { useSession } from "@/api/session";
import type { components } from "@/api/schema";
import type { CurrentUser } from "@/api/types";
import { useCeremony } from "@/api/use-ceremony";
import { toast } from "@/components";
import * as refusals from "@/lib/refusals";

type Login = components["schemas"]["Login"];

/** What is said of an account that cannot be used even with the right password. */
const UNUSABLE_ACCOUNTS: Partial<Record<ErrorCode, string>> = {
  account_banned: "Account Banned",
  account_closed: "Account Closed",
};
const unusable = (code: ErrorCode | undefined): string | undefined => code && UNUSABLE_ACCOUNTS[code];

function sayRefusal(error: unknown): void {
  toast({
    title: unusable(errorCode(error)) ?? "Login Failed",
    description: refusalMessage(error, refusals.invalidCredentials.text),
    variant: "destructive",
  });
}

function useWelcome() {
  const { setUser } = useSession();
  return async (user: CurrentUser) => {
    toast({ title: "Login Successful", description: `Welcome back, ${user.username}!` });
    await setUser(user);
  };
}

/** Signs in, or says why not; returns the code of what the form deals with itself. */
export function useSignIn() {
  const welcome = useWelcome();
  return async (body: Login): Promise<"second_factor_required" | "invalid_second_factor" | null> => {
    try {
      await welcome(unwrap(await api.POST("/api/login", { body })));
    } catch (error) {
      const code = errorCode(error);
      if (code === "second_factor_required" || code === "invalid_second_factor") return code;
      sayRefusal(error);
    }
    return null;
  };
}

const beginSignIn = async () => unwrap(await api.POST("/api/login/passkey/ceremony"));

/** Signs in with a passkey alone. */
export function usePasskeySignIn() {
  const welcome = useWelcome();
  const { isBusy, notice, run } = useCeremony({ cancelled: "No passkey was used. You can try again." });
  async function signIn(signal: AbortSignal) {
    const body = await askForPasskey(beginSignIn, signal);
    try {
      await welcome(unwrap(await api.POST("/api/login/passkey", { body })));
    } catch (error) {
      if (unusable(errorCode(error)) === undefined) throw error;
      sayRefusal(error);
    }
  }
  return { isBusy, notice, onClick: () => void run(signIn) };
}
