import { isOnline } from "@/lib/online";
import type { components } from "./schema";

/** What an answer other than 2xx carries, if it is the server's. */
export type ErrorBody = components["schemas"]["ErrorBody"];
/** The word by which the server tells errors apart. */
export type ErrorCode = ErrorBody["code"];

/** An answer other than 2xx, with the message that a user is to read. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    message: string,
    /** Something between the browser and the server can answer, too, with whatever it likes. */
    readonly body: Partial<ErrorBody> | undefined,
  ) {
    super(message);
    this.name = "ApiError";
  }
}

/** What to tell the user: the reason, else the message, of those that are texts. */
function messageOf(body: Partial<ErrorBody> | undefined): string | undefined {
  return [body?.reason, body?.message].find((text) => typeof text === "string" && text !== "");
}

/** The word by which the server tells cases apart, if it was the server. */
export function errorCode(error: unknown): ErrorCode | undefined {
  return error instanceof ApiError ? error.body?.code : undefined;
}

/** What a table has for the code of an error. */
export function byCode<T>(table: Readonly<Partial<Record<ErrorCode, T>>>, error: unknown): T | undefined {
  const code = errorCode(error);
  return code === undefined ? undefined : table[code];
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const isBody = (json: unknown): json is Partial<ErrorBody> => typeof json === "object" && json !== null;

/**
 * The message of an answer: its JSON's reason, else its JSON's message, else status code, colon,
 * space and the body's text (or the status text where there is no body).
 */
export function toApiError(status: number, statusText: string, text: string): ApiError {
  const json = parsed(text);
  const body = isBody(json) ? json : undefined;
  const message = messageOf(body);
  if (message !== undefined) return new ApiError(status, message, body);
  const rest = json === undefined ? text || statusText : JSON.stringify(json);
  return new ApiError(status, `${status}: ${rest}`, body);
}

/** Nothing was answered: that is nobody's wrong password. */
export const UNREACHABLE = "Glasshouse cannot be reached. Please check your connection and try again.";
export const OFFLINE = "You appear to be offline. Please check your connection and try again.";

/** A call that no answer came to: there is no network, or no server. */
export class ConnectionError extends Error {
  constructor(cause: unknown) {
    super(isOnline() ? UNREACHABLE : OFFLINE, { cause });
    this.name = "ConnectionError";
  }
}

/** What to show for something that was thrown: the server's message, that there is no connection, or else the fallback. */
export function errorMessage(error: unknown, fallback: string): string {
  if (error instanceof ConnectionError) return error.message;
  return error instanceof ApiError && error.message !== "" ? error.message : fallback;
}

/** As errorMessage, for what says what a user did wrong: only the server's own words, or the fallback. */
export function refusalMessage(error: unknown, fallback: string): string {
  if (error instanceof ConnectionError) return error.message;
  if (!(error instanceof ApiError)) return UNREACHABLE;
  return messageOf(error.body) ?? fallback;
}
