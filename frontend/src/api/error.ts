import { isOnline } from "@/lib/online";
import type { components } from "./schema";

/** The body of a response other than 2xx, if it came from our server. */
export type ErrorBody = components["schemas"]["ErrorBody"];
/** The code by which errors are told apart. */
export type ErrorCode = ErrorBody["code"];

/** A response other than 2xx, with the message to show to the user. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    message: string,
    /** Proxies between the browser and the server can answer too, with any body. */
    readonly body: Partial<ErrorBody> | undefined,
  ) {
    super(message);
    this.name = "ApiError";
  }
}

/** The message for the user: the reason or else the message, whichever is a non-empty text. */
function messageOf(body: Partial<ErrorBody> | undefined): string | undefined {
  return [body?.reason, body?.message].find((text) => typeof text === "string" && text !== "");
}

/** The error's code, if it came from our server. */
export function errorCode(error: unknown): ErrorCode | undefined {
  return error instanceof ApiError ? error.body?.code : undefined;
}

/** Whether the server decided: from 500 on, or without a response, the outcome is unknown. Maintenance is a refusal. */
export const isDecided = (error: unknown): boolean =>
  error instanceof ApiError && (error.status < 500 || error.body?.code === "maintenance");

/** Whether the server turned the request away before it looked at it, also at its key: that says nothing of earlier ones. */
export const isRateLimited = (error: unknown): boolean => error instanceof ApiError && error.status === 429;

/** Looks up the error's code in a table. */
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
 * The message of a response: the JSON's reason, else the JSON's message, else status code, colon, space and the body's
 * text (or the status text if there is no body).
 */
export function toApiError(status: number, statusText: string, text: string): ApiError {
  const json = parsed(text);
  const body = isBody(json) ? json : undefined;
  const message = messageOf(body);
  if (message !== undefined) return new ApiError(status, message, body);
  const rest = json === undefined ? text || statusText : JSON.stringify(json);
  return new ApiError(status, `${status}: ${rest}`, body);
}

/** No response came, so the input was not at fault. */
export const UNREACHABLE = "Glasshouse cannot be reached. Please check your connection and try again.";
export const OFFLINE = "You appear to be offline. Please check your connection and try again.";

/** A request without a response: the network or the server is unavailable. */
export class ConnectionError extends Error {
  constructor(cause: unknown) {
    super(isOnline() ? UNREACHABLE : OFFLINE, { cause });
    this.name = "ConnectionError";
  }
}

/** The message for a caught error: the server's message, that there is no connection, or else the fallback. */
export function errorMessage(error: unknown, fallback: string): string {
  if (error instanceof ConnectionError) return error.message;
  return error instanceof ApiError && error.message !== "" ? error.message : fallback;
}

/** Like errorMessage, for messages about the user's input: only the server's own text, or the fallback. */
export function refusalMessage(error: unknown, fallback: string): string {
  if (error instanceof ConnectionError) return error.message;
  if (!(error instanceof ApiError)) return UNREACHABLE;
  return messageOf(error.body) ?? fallback;
}
