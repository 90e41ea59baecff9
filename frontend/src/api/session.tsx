import { createContext, type ReactNode, use, useCallback, useDeferredValue, useEffect, useMemo, useState } from "react";
import useSWR, { useSWRConfig } from "swr";
import { ApiError, api, errorCode, isHeld, onSessionChange, refusalMessage } from "./client";
import { maySessionExist } from "./session-hint";
import { announceUser, onUserElsewhere } from "./session-signal";
import { recordSignIn } from "./sign-ins";
import type { CurrentUser } from "./types";

const USER_KEY = "current-user";

/** The message shown when a session has ended. */
export type SessionEnd = { title: string; text: string };

const LOST: SessionEnd = {
  title: "Session Lost",
  text: "You have been logged out or your session expired. Please log in again.",
};

/** The message for a ban, with its reason if there is one. */
function banOf(error: ApiError): SessionEnd | null {
  if (errorCode(error) !== "account_banned") return null;
  return { title: "Account Banned", text: refusalMessage(error, "Account banned") };
}

export type Session = {
  /** Undefined while loading, null if nobody is signed in. */
  user: CurrentUser | null | undefined;
  error: unknown;
  /** Why the session ended if the user did not end it; null otherwise. */
  end: SessionEnd | null;
  isLoggedOut: boolean;
  setUser(user: CurrentUser | null): Promise<void>;
  updateBalance(change: { newBalance: string; availableToWithdraw: string }): void;
  /** Fetches the user again, and returns it; undefined if it could never be fetched. */
  refresh(): Promise<CurrentUser | null | undefined>;
};

const SessionContext = createContext<Session | null>(null);

async function fetchUser(): Promise<CurrentUser | null> {
  if (!maySessionExist()) return null;
  try {
    const { data } = await api.GET("/api/user");
    return data ?? null;
  } catch (error) {
    if (error instanceof ApiError && (error.status === 401 || banOf(error))) return null;
    throw error;
  }
}

/** Fetches the current user once and provides the session to everything below. */
export function SessionProvider({ children }: { children: ReactNode }) {
  const { data: fetched, error, mutate } = useSWR(USER_KEY, fetchUser);
  const user = useFirstInSlices(fetched);
  const forgetLoaded = useForgetLoaded();
  const [wasSignedIn, setWasSignedIn] = useState(false);
  const [isLoggedOut, setLoggedOut] = useState(false);
  const [ban, setBan] = useState<SessionEnd | null>(null);
  if (user && !wasSignedIn) setWasSignedIn(true);
  const end = user === null ? (ban ?? (wasSignedIn ? LOST : null)) : null;

  const apply = useCallback(
    async (next: CurrentUser | null) => {
      setWasSignedIn(next !== null);
      setLoggedOut(next === null);
      setBan(null);
      if (next) recordSignIn();
      // Data of another user must not be shown.
      forgetLoaded();
      await mutate(next, { revalidate: false });
    },
    [mutate, forgetLoaded],
  );
  const setUser = useCallback(
    async (next: CurrentUser | null) => {
      announceUser(next?.id ?? null);
      await apply(next);
    },
    [apply],
  );
  useEffect(
    () =>
      onUserElsewhere((id) => {
        if (id === null) {
          void apply(null);
          return;
        }
        recordSignIn();
        forgetLoaded();
        void mutate();
      }),
    [apply, mutate, forgetLoaded],
  );

  useEffect(
    () =>
      onSessionChange((refusal) => {
        if (isHeld(refusal)) {
          void mutate();
          return;
        }
        setBan(banOf(refusal));
        void mutate(null, { revalidate: false });
      }),
    [mutate],
  );

  const session = useMemo<Session>(
    () => ({
      user,
      error,
      end,
      isLoggedOut,
      setUser,
      updateBalance({ newBalance, availableToWithdraw }) {
        void mutate((known) => known && { ...known, balance: newBalance, availableToWithdraw }, {
          revalidate: false,
        });
      },
      refresh: () => mutate(),
    }),
    [user, error, end, isLoggedOut, setUser, mutate],
  );
  return <SessionContext value={session}>{children}</SessionContext>;
}

/**
 * The value, the first one a little later: what appears with it, the whole page, is then rendered in slices, so that a
 * slow phone reacts to touches in between.
 */
function useFirstInSlices<T>(value: T | undefined): T | undefined {
  const deferred = useDeferredValue(value);
  return deferred === undefined ? undefined : value;
}

/** Clears all cached data except the user, so that it is fetched again when it is next shown. */
export function useForgetLoaded(): () => void {
  const { cache } = useSWRConfig();
  return useCallback(() => {
    for (const key of cache.keys()) if (key !== USER_KEY) cache.delete(key);
  }, [cache]);
}

export function useSession(): Session {
  const session = use(SessionContext);
  if (!session) throw new Error("useSession needs a SessionProvider");
  return session;
}

/** The signed-in user, for screens that require one. */
export function useUser(): CurrentUser | null {
  return useSession().user ?? null;
}
