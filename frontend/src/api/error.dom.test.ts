import { afterEach, expect, it, vi } from "vitest";
import { ApiError, ConnectionError, errorMessage, OFFLINE, refusalMessage, toApiError, UNREACHABLE } from "./error";

afterEach(() => vi.restoreAllMocks());

const cases: [string, number, string, string, string][] = [
  ["the reason before the message", 403, "Forbidden", '{"message":"banned","reason":"cheating"}', "cheating"],
  ["the message", 422, "", '{"message":"no","code":"x"}', "no"],
  ["the whole JSON without either", 500, "", '{"code":"x"}', '500: {"code":"x"}'],
  ["the JSON where the message is no text", 500, "", '{"message":5}', '500: {"message":5}'],
  ["the text of what is no JSON", 502, "Bad Gateway", "upstream is down", "502: upstream is down"],
  ["the status text without a body", 503, "Service Unavailable", "", "503: Service Unavailable"],
];
it.each(cases)("shows %s", (_, status, statusText, text, expected) => {
  expect(toApiError(status, statusText, text).message).toBe(expected);
});

it("falls back if there was no response", () => {
  expect(errorMessage(new TypeError("Failed to fetch"), "Something went wrong")).toBe("Something went wrong");
  expect(errorMessage(new ApiError(422, "no", {}), "Something went wrong")).toBe("no");
});

it("does not blame the user for an unreachable server", () => {
  expect(refusalMessage(new TypeError("Failed to fetch"), "Invalid username or password")).toBe(UNREACHABLE);
  expect(refusalMessage(toApiError(401, "", '{"message":"Invalid username or password"}'), "x")).toBe(
    "Invalid username or password",
  );
  expect(refusalMessage(toApiError(403, "", "{}"), "Account banned")).toBe("Account banned");
  expect(refusalMessage(toApiError(403, "", '{"message":"no","reason":"cheating"}'), "Account banned")).toBe(
    "cheating",
  );
});

it.each([
  [true, UNREACHABLE],
  [false, OFFLINE],
])("says what is wrong with the connection (online: %s)", (isOnline, expected) => {
  vi.spyOn(navigator, "onLine", "get").mockReturnValue(isOnline);
  const error = new ConnectionError(new TypeError("Failed to fetch"));
  expect(errorMessage(error, "Something went wrong")).toBe(expected);
  expect(refusalMessage(error, "Invalid username or password")).toBe(expected);
});
