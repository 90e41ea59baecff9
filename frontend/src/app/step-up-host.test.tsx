import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { useState } from "react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { ApiError, type ErrorCode } from "@/api/client";
import { IdempotentSender } from "@/api/idempotent-sender";
import { type Assertion, askForPasskey, CeremonyCancelled } from "@/api/passkeys";
import { fetchSecondFactor } from "@/api/second-factor";
import { stepUp, withStepUp } from "@/api/step-up";
import { toast } from "@/components";
import { useDecision } from "@/features/admin/decisions/use-decision";
import { StepUpHost } from "./step-up-host";

const own = vi.hoisted(() => ({ hasSecondFactor: true }));
vi.mock("@/api/session", async (load) => ({ ...(await load<object>()), useUser: () => own }));
vi.mock("@/api/step-up", async (load) => ({
  ...(await load<object>()),
  stepUp: vi.fn(),
  beginPasskeyStepUp: vi.fn(),
}));
vi.mock("@/api/second-factor", () => ({ fetchSecondFactor: vi.fn() }));
vi.mock("@/components/toast-store", async (load) => ({ ...(await load<object>()), toast: vi.fn() }));
vi.mock("@/api/passkeys", async (load) => ({ ...(await load<object>()), askForPasskey: vi.fn() }));
const here = vi.hoisted(() => ({ canUse: true }));
vi.mock("@/lib/passkeys", () => ({ canUsePasskeys: () => here.canUse }));
const [enter, toastMock, factor, ask] = [
  vi.mocked(stepUp),
  vi.mocked(toast),
  vi.mocked(fetchSecondFactor),
  vi.mocked(askForPasskey),
];

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
const type = async (entry: string, label = "Code") => {
  fireEvent.change(await screen.findByLabelText(label), { target: { value: entry } });
  fireEvent.click(screen.getByText("Continue"));
};
const dialog = () => screen.findByRole("dialog", { name: "Confirm your identity" });

const PASSKEY = { id: "p1", name: "Chrome on Linux", createdAt: "2026-11-25T10:00:00Z", lastUsedAt: null };
const SINCE = "2026-11-25T10:00:00Z";
/** The user has these, the next time that it is asked. */
const has = (passkeys: number, authenticatorSince: string | null) =>
  factor.mockResolvedValue({
    authenticatorSince,
    passkeys: Array.from({ length: passkeys }, () => PASSKEY),
    recoveryCodesLeft: 10,
    isMandatory: false,
  });
const needed = () => vi.fn().mockRejectedValueOnce(refusal(403, "step_up_required")).mockResolvedValue("yes");

beforeEach(() => void has(0, SINCE));
afterEach(() => {
  cleanup();
  vi.resetAllMocks();
  own.hasSecondFactor = true;
  here.canUse = true;
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
  await type("123456");
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
  await type("");
  expect(await screen.findByText("Please enter a code")).toBeVisible();
  expect(enter).not.toHaveBeenCalled();
  await type("wrong");
  expect(await screen.findByText(/^This code is wrong/)).toBeVisible();
  expect(screen.getByLabelText("Code")).toHaveValue("");
  await type("123456");
  expect(await screen.findByText("Wait a minute")).toBeVisible();
  expect(call).toHaveBeenCalledOnce();
  await type("123456");
  await waitFor(() => expect(outcomes.onDone).toHaveBeenCalled());
});

it("says that the session is over after too many wrong codes", async () => {
  const call = vi.fn().mockRejectedValue(refusal(403, "step_up_required"));
  enter.mockRejectedValue(refusal(401, "not_signed_in", "Not logged in"));
  setup(call)();
  await dialog();
  await type("wrong");
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
  expect(await screen.findByLabelText("Code")).toHaveAttribute("inputmode", "numeric");
  expect(screen.getByLabelText("Code")).toHaveAttribute("autocomplete", "one-time-code");
  fireEvent.click(screen.getByText("Use a recovery code instead"));
  await type("k7qp-2mxd-9fht-4wzr", "Recovery code");
  await waitFor(() => expect(outcomes.onDone).toHaveBeenCalledWith("yes"));
  expect(enter).toHaveBeenCalledExactlyOnceWith({ secondFactor: "k7qp-2mxd-9fht-4wzr" });
});

it("asks users without a second factor for the password", async () => {
  own.hasSecondFactor = false;
  const call = vi.fn().mockRejectedValueOnce(refusal(403, "step_up_required")).mockResolvedValue("yes");
  enter.mockRejectedValueOnce(refusal(401, "invalid_credentials")).mockResolvedValue({ validUntil: null });
  setup(call)();
  await dialog();
  await type("wrong", "Password");
  expect(await screen.findByText("Incorrect password. Please try again.")).toBeVisible();
  await type("secret", "Password");
  await waitFor(() => expect(outcomes.onDone).toHaveBeenCalledWith("yes"));
  expect(enter).toHaveBeenLastCalledWith({ password: "secret" });
});

const ASSERTION = { ceremony: "c1", credential: { id: "p1" } } as unknown as Assertion;
const passkeyButton = () => screen.findByRole("button", { name: "Use a passkey" });

it("offers a passkey first, and a double click asks for it once", async () => {
  has(1, SINCE);
  ask.mockResolvedValue(ASSERTION);
  enter.mockResolvedValue({ validUntil: null });
  setup(needed())();
  const button = await passkeyButton();
  expect(button).toHaveFocus();
  expect(screen.queryByLabelText("Code")).toBeNull();
  fireEvent.click(button);
  fireEvent.click(button);
  await waitFor(() => expect(outcomes.onDone).toHaveBeenCalledWith("yes"));
  expect(ask).toHaveBeenCalledOnce();
  expect(enter).toHaveBeenCalledExactlyOnceWith({ passkey: ASSERTION });
});

it("goes on after a passkey that was not used, and after one that was refused", async () => {
  has(1, SINCE);
  ask.mockRejectedValueOnce(new CeremonyCancelled()).mockResolvedValue(ASSERTION);
  enter.mockRejectedValueOnce(refusal(401, "invalid_passkey", "Not this one")).mockResolvedValue({ validUntil: null });
  setup(needed())();
  fireEvent.click(await passkeyButton());
  expect(await screen.findByText("No passkey was used. You can try again.")).toBeVisible();
  expect(screen.queryByRole("alert")).toBeNull();
  await waitFor(async () => expect(await passkeyButton()).toHaveFocus());
  fireEvent.click(await passkeyButton());
  expect(await screen.findByRole("alert")).toHaveTextContent("Not this one");
  expect(toastMock).not.toHaveBeenCalled();
  fireEvent.click(await passkeyButton());
  await waitFor(() => expect(outcomes.onDone).toHaveBeenCalledWith("yes"));
});

it("takes a code in place of a passkey, and goes back to it", async () => {
  has(1, SINCE);
  enter.mockResolvedValue({ validUntil: null });
  setup(needed())();
  await passkeyButton();
  fireEvent.click(screen.getByText("Use a code instead"));
  fireEvent.click(await screen.findByText("Use a passkey instead"));
  await passkeyButton();
  fireEvent.click(screen.getByText("Use a code instead"));
  await type("123456");
  await waitFor(() => expect(outcomes.onDone).toHaveBeenCalledWith("yes"));
  expect(enter).toHaveBeenCalledExactlyOnceWith({ secondFactor: "123456" });
});

it("takes only recovery codes from users who have passkeys but no authenticator", async () => {
  has(1, null);
  enter.mockResolvedValue({ validUntil: null });
  setup(needed())();
  await passkeyButton();
  fireEvent.click(screen.getByText("Use a recovery code instead"));
  expect(await screen.findByLabelText("Recovery code")).toBeVisible();
  expect(screen.queryByText("Use a code of the authenticator")).toBeNull();
  await type("k7qp-2mxd-9fht-4wzr", "Recovery code");
  await waitFor(() => expect(outcomes.onDone).toHaveBeenCalledWith("yes"));
  expect(enter).toHaveBeenCalledExactlyOnceWith({ secondFactor: "k7qp-2mxd-9fht-4wzr" });
});

it("asks for a recovery code where the only passkey cannot be used", async () => {
  here.canUse = false;
  has(1, null);
  setup(needed())();
  expect(await screen.findByLabelText("Recovery code")).toBeVisible();
  expect(screen.queryByText("Use a passkey instead")).toBeNull();
});

it("asks for a code if it is not known what the user has", async () => {
  factor.mockRejectedValue(refusal(503, "overloaded"));
  setup(needed())();
  expect(await screen.findByLabelText("Code")).toBeVisible();
});

it("says that the session is over when a passkey is asked for", async () => {
  has(1, SINCE);
  ask.mockRejectedValue(refusal(401, "not_signed_in"));
  setup(needed())();
  fireEvent.click(await passkeyButton());
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(toastMock).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ title: "Session Lost" }));
});
