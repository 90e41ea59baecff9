import { afterEach, expect, it, vi } from "vitest";
import { fetched } from "@/test-support/network";
import { api, onSessionChange } from "./client";
import { recordSignIn } from "./sign-ins";

const answer = (status: number, code: string) =>
  fetched.mockImplementation(async () => Response.json({ code, message: "no" }, { status }));

/** The calls in which a user who is signed in enters their own password. */
const WITH_PASSWORD = {
  "change of the password": () =>
    api.POST("/api/account/password", { body: { currentPassword: "wrong", newPassword: "tr4vel-lamp" } }),
  exclusion: () => api.POST("/api/exclusions", { body: { kind: "cool_off", duration: "day", password: "wrong" } }),
  confirmation: () => api.POST("/api/account/step-up", { body: { password: "wrong" } }),
};
const logIn = () => api.POST("/api/login", { body: { username: "alice", password: "wrong" } });
const readLimits = () => api.GET("/api/limits");
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}$/;

/** How often the session's listeners hear of a refused call. */
async function heardOf(call: () => Promise<unknown>): Promise<number> {
  const listener = vi.fn();
  const stop = onSessionChange(listener);
  await expect(call()).rejects.toThrow("no");
  stop();
  return listener.mock.calls.length;
}

afterEach(() => fetched.mockReset());

it.each(Object.entries(WITH_PASSWORD))("a wrong password at the %s does not end the session", async (_, call) => {
  answer(401, "invalid_credentials");
  expect(await heardOf(call)).toBe(0);
  answer(401, "not_signed_in");
  expect(await heardOf(call)).toBe(1);
});

it("what was asked before signing in does not end the session", async () => {
  fetched.mockImplementation(async () => {
    recordSignIn();
    return Response.json({ code: "not_signed_in", message: "no" }, { status: 401 });
  });
  expect(await heardOf(readLimits)).toBe(0);
  answer(401, "not_signed_in");
  expect(await heardOf(readLimits)).toBe(1);
});

it.each(["invalid_second_factor", "invalid_passkey"] as const)("%s does not end the session", async (code) => {
  answer(401, code);
  expect(await heardOf(() => api.POST("/api/account/step-up", { body: { secondFactor: "123456" } }))).toBe(0);
});

it("a refused login ends nothing", async () => {
  answer(401, "invalid_credentials");
  expect(await heardOf(logIn)).toBe(0);
  answer(403, "account_banned");
  expect(await heardOf(logIn)).toBe(0);
  expect(await heardOf(() => api.POST("/api/login/passkey/ceremony"))).toBe(0);
});

it.each([
  [403, "account_banned", 1],
  [403, "password_change_required", 1],
  [403, "terms_not_accepted", 1],
  [403, "second_factor_enrolment_required", 1],
  [403, "forbidden", 0],
  [429, "rate_limited", 0],
])("%i %s is heard of %i times", async (status, code, times) => {
  answer(status, code);
  expect(await heardOf(readLimits)).toBe(times);
});

it("gives each request an ID of its own, by which it is found in the server's log", async () => {
  fetched.mockImplementation(async () => Response.json({}));
  await readLimits();
  await readLimits();
  const ids = fetched.mock.calls.map(([request]) => request.headers.get("X-Request-Id"));
  expect(ids).toEqual([expect.stringMatching(UUID), expect.stringMatching(UUID)]);
  expect(new Set(ids).size).toBe(2);
});
