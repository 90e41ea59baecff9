import { isOnline } from "@/lib/online";

/** An answer other than 2xx, with the message that a user is to read. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly body: unknown,
  ) {
    super(message);
    this.name = "ApiError";
  }
}

function field(body: unknown, name: string): string | undefined {
  if (typeof body !== "object" || body === null) return undefined;
  const value = (body as Record<string, unknown>)[name];
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** The word by which the server tells cases apart, if it was the server. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof ApiError ? field(error.body, "code") : undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * The message of an answer: its JSON's reason, else its JSON's message, else status code, colon,
 * space and the body's text (or the status text where there is no body).
 */
export function toApiError(status: number, statusText: string, text: string): ApiError {
  const body = parsed(text);
  const message = field(body, "reason") ?? field(body, "message");
  if (message !== undefined) return new ApiError(status, message, body);
  const rest = body === undefined ? text || statusText : JSON.stringify(body);
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
  return field(error.body, "reason") ?? field(error.body, "message") ?? fallback;
}
