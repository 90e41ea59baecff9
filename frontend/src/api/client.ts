import createClient, { type Middleware } from "openapi-fetch";
import { randomHex, randomUuid } from "@/lib/random";
import { type ApiError, errorCode, ConnectionError, toApiError } from "./error";
import type { paths } from "./schema";
import { signInCount } from "./sign-ins";
import { noteRequest, noteResponse } from "./trust/answers";

export {
  ApiError,
  byCode,
  errorCode,
  ConnectionError,
  type ErrorBody,
  type ErrorCode,
  errorMessage,
  isDecided,
  isRateLimited,
  refusalMessage,
} from "./error";

type Listener = (error: ApiError) => void;
const sessionListeners = new Set<Listener>();

/**
 * Calls the listener when a response shows that the session is not what it was: it has ended (a 401, or a ban), or
 * the user must do something first ({@link isHeld}).
 */
export function onSessionChange(listener: Listener): () => void {
  sessionListeners.add(listener);
  return () => sessionListeners.delete(listener);
}

const houseListeners = new Set<() => void>();

/** Calls the listener when a request was refused because the operator has stopped it for everybody. */
export function onHouseStop(listener: () => void): () => void {
  houseListeners.add(listener);
  return () => houseListeners.delete(listener);
}

const isHouseStop = (error: ApiError): boolean =>
  /^(maintenance|(deposits|withdrawals|registration)_paused)$/.test(errorCode(error) ?? "");

/**
 * Whether another password must be chosen, a second factor set up or the terms accepted first, or the operator has
 * blocked something for the player; the session goes on.
 */
export const isHeld = (error: ApiError): boolean =>
  /^(password_change_required|second_factor_enrolment_required|terms_not_accepted|(betting|withdrawing)_blocked)$/.test(
    errorCode(error) ?? "",
  );

/** For each request on its way, how often the user had signed in when it was sent. */
const sentInSession = new WeakMap<Request, number>();

const throwErrors: Middleware = {
  onRequest: ({ request }) => void sentInSession.set(request, signInCount()),
  async onResponse({ request, response, schemaPath }) {
    if (response.ok) return undefined;
    const error = toApiError(response.status, response.statusText, await response.text());
    const isLogin = schemaPath.startsWith("/api/login");
    const isSignIn = isLogin || schemaPath === "/api/user";
    const code = errorCode(error);
    // A wrong password, code or passkey does not end the session; a missing session does.
    const isWrong = /^invalid_(credentials|second_factor|passkey)$/.test(code ?? "");
    const isOver = response.status === 401 && !isSignIn && !isWrong;
    const isBanned = code === "account_banned" && !isLogin;
    // A late answer about the session before says nothing about this one.
    const isLate = sentInSession.get(request) !== signInCount();
    if (!isLate && (isOver || isBanned || isHeld(error))) {
      for (const listener of sessionListeners) listener(error);
    }
    if (isHouseStop(error)) for (const listener of houseListeners) listener();
    throw error;
  },
  /** An aborted request is not a failed one. */
  onError: ({ error }) => (error instanceof TypeError ? new ConnectionError(error) : undefined),
};

/** So that a request is found in the server's log even if no response came. */
const nameRequests: Middleware = {
  onRequest({ request }) {
    request.headers.set("X-Request-Id", randomUuid());
    return request;
  },
};

/** Everything that the server commits to or signs is verified, besides being used. */
const passToVerifier: Middleware = {
  onRequest: ({ request }) => noteRequest(request),
  onResponse({ request, response, schemaPath }) {
    noteResponse(schemaPath, request, response);
  },
};

/** The typed API client. A response other than 2xx throws an ApiError, and no response a ConnectionError. */
export const api = createClient<paths>({ baseUrl: "/", credentials: "same-origin" });
api.use(throwErrors, nameRequests, passToVerifier);

/** A key for a request that moves money, so that retrying it has no further effect. */
export const newIdempotencyKey = (): string => randomHex(16);

/** The response body; a request that did not throw has one. */
export function unwrap<T>({ data }: { data?: T }): T {
  if (data === undefined) throw new Error("an answer without a body");
  return data;
}

/** The header that makes a request safe to retry. */
export const idempotencyHeader = (key: string) => ({ header: { "Idempotency-Key": key } });
