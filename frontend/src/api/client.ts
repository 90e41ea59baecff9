import createClient, { type Middleware } from "openapi-fetch";
import { type ApiError, errorCode, ConnectionError, toApiError } from "./error";
import type { paths } from "./schema";

export {
  ApiError,
  byCode,
  errorCode,
  ConnectionError,
  type ErrorBody,
  type ErrorCode,
  errorMessage,
  refusalMessage,
} from "./error";

type Listener = (error: ApiError) => void;
const sessionEndListeners = new Set<Listener>();

/** Calls the listener when an answer says that nobody is signed in any more: by 401, or by a ban. */
export function onSessionEnd(listener: Listener): () => void {
  sessionEndListeners.add(listener);
  return () => sessionEndListeners.delete(listener);
}

const throwErrors: Middleware = {
  async onResponse({ response, schemaPath }) {
    if (response.ok) return undefined;
    const error = toApiError(response.status, response.statusText, await response.text());
    const isSignIn = schemaPath === "/api/login" || schemaPath === "/api/user";
    // A wrong password where one is asked for again is no end of the session; a missing session is.
    const isWrongPassword = schemaPath === "/api/admin/step-up" && errorCode(error) === "invalid_credentials";
    const isOver = response.status === 401 && !isSignIn && !isWrongPassword;
    const isBanned = errorCode(error) === "account_banned" && schemaPath !== "/api/login";
    if (isOver || isBanned) {
      for (const listener of sessionEndListeners) listener(error);
    }
    throw error;
  },
  /** A call that was given up is not one that failed. */
  onError: ({ error }) => (error instanceof TypeError ? new ConnectionError(error) : undefined),
};

/** The typed calls. Whatever is not answered with 2xx is thrown as an ApiError, or as a ConnectionError. */
export const api = createClient<paths>({ baseUrl: "/", credentials: "same-origin" });
api.use(throwErrors);

/** A name for a call that moves money, so that sending it again moves nothing more. */
export function newIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The body of an answer, which a call that did not throw has. */
export function unwrap<T>({ data }: { data?: T }): T {
  if (data === undefined) throw new Error("an answer without a body");
  return data;
}

/** The header by which a call that moves money can be sent again. */
export const idempotencyHeader = (key: string) => ({ header: { "Idempotency-Key": key } });
