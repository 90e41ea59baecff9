import { createContext, type ReactNode, use, useCallback, useEffect, useMemo, useState } from "react";
import useSWR, { useSWRConfig } from "swr";
import { ApiError, api, onSessionEnd } from "./client";
import type { CurrentUser } from "./types";

const USER_KEY = "current-user";

export type Session = {
  /** Undefined while it is being loaded, null where nobody is signed in. */
  user: CurrentUser | null | undefined;
  error: unknown;
  /** Whether somebody was signed in on this page before. */
  wasSignedIn: boolean;
  setUser(user: CurrentUser | null): Promise<void>;
  updateBalance(change: { newBalance: string; availableToWithdraw: string }): void;
  refresh(): Promise<void>;
};

const SessionContext = createContext<Session | null>(null);

async function fetchUser(): Promise<CurrentUser | null> {
  try {
    const { data } = await api.GET("/api/user");
    return data ?? null;
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return null;
    throw error;
  }
}

/** Loads the current user once and hands the session to everything below. */
export function SessionProvider({ children }: { children: ReactNode }) {
  const { data: user, error, mutate } = useSWR(USER_KEY, fetchUser);
  const { cache } = useSWRConfig();
  const [wasSignedIn, setWasSignedIn] = useState(false);
  if (user && !wasSignedIn) setWasSignedIn(true);

  const setUser = useCallback(
    async (next: CurrentUser | null) => {
      if (next === null) setWasSignedIn(false);
      // What was loaded for somebody else must not be shown.
      for (const key of cache.keys()) if (key !== USER_KEY) cache.delete(key);
      await mutate(next, { revalidate: false });
    },
    [mutate, cache],
  );

  useEffect(() => onSessionEnd(() => void mutate(null, { revalidate: false })), [mutate]);

  const session = useMemo<Session>(
    () => ({
      user,
      error,
      wasSignedIn,
      setUser,
      updateBalance({ newBalance, availableToWithdraw }) {
        void mutate((known) => known && { ...known, balance: newBalance, availableToWithdraw }, {
          revalidate: false,
        });
      },
      async refresh() {
        await mutate();
      },
    }),
    [user, error, wasSignedIn, setUser, mutate],
  );
  return <SessionContext value={session}>{children}</SessionContext>;
}

export function useSession(): Session {
  const session = use(SessionContext);
  if (!session) throw new Error("useSession needs a SessionProvider");
  return session;
}

/** The signed-in user, for what is only shown to one. */
export function useUser(): CurrentUser | null {
  return useSession().user ?? null;
}
