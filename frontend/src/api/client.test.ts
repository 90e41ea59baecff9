import { afterEach, expect, it, vi } from "vitest";
import { fetched } from "@/test-support/network";
import { api, onSessionEnd } from "./client";

const answer = (code: string) =>
  fetched.mockImplementation(async () => Response.json({ code, message: "no" }, { status: 401 }));
const changePassword = () =>
  api.POST("/api/account/password", { body: { currentPassword: "wrong", newPassword: "tr4vel-lamp" } });

afterEach(() => fetched.mockReset());

it.each([
  ["invalid_credentials", 0],
  ["not_signed_in", 1],
])("%s at the change of the password ends the session %i times", async (code, ends) => {
  const onEnd = vi.fn();
  const stop = onSessionEnd(onEnd);
  answer(code);
  await expect(changePassword()).rejects.toThrow("no");
  expect(onEnd).toHaveBeenCalledTimes(ends);
  stop();
});
