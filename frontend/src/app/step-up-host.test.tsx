import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { useState } from "react";
import { afterEach, expect, it, vi } from "vitest";
import { ApiError, type ErrorCode } from "@/api/client";
import { IdempotentSender } from "@/api/idempotent-sender";
import { stepUp, withStepUp } from "@/api/step-up";
import { toast } from "@/components";
import { useDecision } from "@/features/admin/decisions/use-decision";
import { StepUpHost } from "./step-up-host";

const own = vi.hoisted(() => ({ hasSecondFactor: true }));
vi.mock("@/api/session", async (load) => ({ ...(await load<object>()), useUser: () => own }));
vi.mock("@/api/step-up", async (load) => ({ ...(await load<object>()), stepUp: vi.fn() }));
vi.mock("@/components/toast-store", async (load) => ({ ...(await load<object>()), toast: vi.fn() }));
const [enter, toastMock] = [vi.mocked(stepUp), vi.mocked(toast)];

const refusal = (status: number, code: ErrorCode, message = "no") => new ApiError(status, message, { code, message });
/** A lost response is retried twice before the error is shown. */
const RESENT = { timeout: 4000 };
const outcomes = { onDone: vi.fn(), onConflict: vi.fn(), onUnsure: vi.fn() };

function Decision({ call }: { call: (body: object, key: string) => Promise<string> }) {
  const { isBusy, decide } = useDecision();
  const [sender] = useState(() => new IdempotentSender());
  const send = async () => (await sender.send({}, (body, key) => withStepUp(() => call(body, key)))).answer;
  return (
    <button
      type="button"
      data-busy={isBusy}
      onClick={() => void decide(send, { success: (answer) => `done: ${answer}`, fallback: "Failed", ...outcomes })}
    >
      Decide
    </button>
  );
}
function setup(call: (body: object, key: string) => Promise<string>) {
  render(
    <>
      <Decision call={call} />
      <StepUpHost />
    </>,
  );
  return () => fireEvent.click(screen.getByText("Decide"));
}
const type = (entry: string, label = "Code") => {
  fireEvent.change(screen.getByLabelText(label), { target: { value: entry } });
  fireEvent.click(screen.getByText("Continue"));
};
const dialog = () => screen.findByRole("dialog", { name: "Confirm your identity" });

afterEach(() => {
  cleanup();
  vi.resetAllMocks();
  own.hasSecondFactor = true;
});

it("is skipped when it is not needed, and a double click makes one decision", async () => {
  const call = vi.fn().mockResolvedValue("yes");
  const click = setup(call);
  click();
  click();
  await waitFor(() => expect(outcomes.onDone).toHaveBeenCalledWith("yes"));
  expect(call).toHaveBeenCalledOnce();
  expect(toastMock).toHaveBeenCalledWith({ title: "Success", description: "done: yes" });
  expect(screen.queryByRole("dialog")).toBeNull();
});

it("asks for the second factor and repeats the same request", async () => {
  const call = vi.fn().mockRejectedValueOnce(refusal(403, "step_up_required")).mockResolvedValue("yes");
  enter.mockResolvedValue({ validUntil: null });
  setup(call)();
  await dialog();
  expect(outcomes.onDone).not.toHaveBeenCalled();
  type("123456");
  await waitFor(() => expect(outcomes.onDone).toHaveBeenCalledWith("yes"));
  expect(enter).toHaveBeenCalledExactlyOnceWith({ secondFactor: "123456" });
  expect(call).toHaveBeenCalledTimes(2);
  // The same idempotency key, whatever became of the first response.
  expect(call.mock.calls[1]).toEqual(call.mock.calls[0]);
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
});

it("stays open after a wrong code, and does not send an empty one", async () => {
  const call = vi.fn().mockRejectedValueOnce(refusal(403, "step_up_required")).mockResolvedValue("yes");
  enter
    .mockRejectedValueOnce(refusal(401, "invalid_second_factor"))
    .mockRejectedValueOnce(refusal(429, "rate_limited", "Wait a minute"))
    .mockResolvedValue({ validUntil: null });
  setup(call)();
  await dialog();
  type("");
  expect(await screen.findByText("Please enter a code")).toBeVisible();
  expect(enter).not.toHaveBeenCalled();
  type("wrong");
  expect(await screen.findByText(/^This code is wrong/)).toBeVisible();
  expect(screen.getByLabelText("Code")).toHaveValue("");
  type("123456");
  expect(await screen.findByText("Wait a minute")).toBeVisible();
  expect(call).toHaveBeenCalledOnce();
  type("123456");
  await waitFor(() => expect(outcomes.onDone).toHaveBeenCalled());
});

it("says that the session is over after too many wrong codes", async () => {
  const call = vi.fn().mockRejectedValue(refusal(403, "step_up_required"));
  enter.mockRejectedValue(refusal(401, "not_signed_in", "Not logged in"));
  setup(call)();
  await dialog();
  type("wrong");
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(toastMock).toHaveBeenCalledExactlyOnceWith(
    expect.objectContaining({ title: "Session Lost", variant: "destructive" }),
  );
  expect(call).toHaveBeenCalledOnce();
});

it("does nothing and shows no error when it is cancelled", async () => {
  const call = vi.fn().mockRejectedValue(refusal(403, "step_up_required"));
  const click = setup(call);
  click();
  await dialog();
  fireEvent.click(screen.getByText("Cancel"));
  await waitFor(() => expect(screen.getByText("Decide")).toHaveAttribute("data-busy", "false"));
  expect(call).toHaveBeenCalledOnce();
  expect(toastMock).not.toHaveBeenCalled();
  // Trying again asks again.
  click();
  await dialog();
});

it.each([
  [refusal(409, "already_decided", "Somebody was first"), "Somebody was first", "onConflict"],
  [refusal(404, "not_found", "Gone"), "Gone", "onConflict"],
  [refusal(403, "own_withdrawal", "It is your own"), "It is your own", null],
  [refusal(503, "overloaded", "Too busy"), "Too busy", "onUnsure"],
  [new TypeError("Failed to fetch"), "Failed", "onUnsure"],
] as const)("reports a refusal and handles it (%#)", async (error, description, follows) => {
  setup(vi.fn().mockRejectedValue(error))();
  await waitFor(
    () => expect(toastMock).toHaveBeenCalledWith({ title: "Error", description, variant: "destructive" }),
    RESENT,
  );
  for (const name of ["onConflict", "onUnsure"] as const)
    expect(outcomes[name]).toHaveBeenCalledTimes(name === follows ? 1 : 0);
  if (follows === "onConflict") expect(outcomes.onConflict).toHaveBeenCalledWith(error);
  expect(outcomes.onDone).not.toHaveBeenCalled();
});

it("takes a recovery code in place of an authenticator's", async () => {
  const call = vi.fn().mockRejectedValueOnce(refusal(403, "step_up_required")).mockResolvedValue("yes");
  enter.mockResolvedValue({ validUntil: null });
  setup(call)();
  await dialog();
  expect(screen.getByLabelText("Code")).toHaveAttribute("inputmode", "numeric");
  expect(screen.getByLabelText("Code")).toHaveAttribute("autocomplete", "one-time-code");
  fireEvent.click(screen.getByText("Use a recovery code instead"));
  type("k7qp-2mxd-9fht-4wzr", "Recovery code");
  await waitFor(() => expect(outcomes.onDone).toHaveBeenCalledWith("yes"));
  expect(enter).toHaveBeenCalledExactlyOnceWith({ secondFactor: "k7qp-2mxd-9fht-4wzr" });
});

it("asks users without a second factor for the password", async () => {
  own.hasSecondFactor = false;
  const call = vi.fn().mockRejectedValueOnce(refusal(403, "step_up_required")).mockResolvedValue("yes");
  enter.mockRejectedValueOnce(refusal(401, "invalid_credentials")).mockResolvedValue({ validUntil: null });
  setup(call)();
  await dialog();
  type("wrong", "Password");
  expect(await screen.findByText("Incorrect password. Please try again.")).toBeVisible();
  type("secret", "Password");
  await waitFor(() => expect(outcomes.onDone).toHaveBeenCalledWith("yes"));
  expect(enter).toHaveBeenLastCalledWith({ password: "secret" });
});
