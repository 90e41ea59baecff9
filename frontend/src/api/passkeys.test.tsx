import { act, cleanup, renderHook, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { ApiError, type ErrorCode } from "./client";
import { askForPasskey, CeremonyCancelled, type Ceremony, createPasskey } from "./passkeys";
import { StepUpCancelled } from "./step-up";
import { useCeremony } from "./use-ceremony";

const library = vi.hoisted(() => ({
  startRegistration: vi.fn(),
  startAuthentication: vi.fn(),
  WebAuthnAbortService: { cancelCeremony: vi.fn() },
}));
vi.mock("@simplewebauthn/browser", () => library);

const CEREMONY = { ceremony: "c1", options: { challenge: "AAAA" } } as unknown as Ceremony;
const begin = () => Promise.resolve(CEREMONY);
const alive = () => new AbortController().signal;
const named = (name: string) => Object.assign(new Error("from the browser"), { name });
const refusal = (code: ErrorCode, message: string) => new ApiError(401, message, { code, message });

beforeEach(() => {
  library.startRegistration.mockResolvedValue({ id: "new" });
  library.startAuthentication.mockResolvedValue({ id: "known" });
});
afterEach(() => {
  cleanup();
  vi.resetAllMocks();
});

it("the browser gets the server's options, and its answer belongs to the same ceremony", async () => {
  await expect(createPasskey(begin, alive())).resolves.toEqual({ ceremony: "c1", credential: { id: "new" } });
  expect(library.startRegistration).toHaveBeenCalledExactlyOnceWith({ optionsJSON: CEREMONY.options });
  await expect(askForPasskey(begin, alive())).resolves.toEqual({ ceremony: "c1", credential: { id: "known" } });
  expect(library.startAuthentication).toHaveBeenCalledExactlyOnceWith({ optionsJSON: CEREMONY.options });
});

it.each(["NotAllowedError", "AbortError"])(
  "a user who does not go through with it causes no error (%s)",
  async (name) => {
    library.startAuthentication.mockRejectedValue(named(name));
    await expect(askForPasskey(begin, alive())).rejects.toBeInstanceOf(CeremonyCancelled);
  },
);

it("the browser does not ask for what is no longer needed, and stops asking", async () => {
  const early = new AbortController();
  early.abort();
  await expect(askForPasskey(begin, early.signal)).rejects.toBeInstanceOf(CeremonyCancelled);
  expect(library.startAuthentication).not.toHaveBeenCalled();

  const late = new AbortController();
  const { cancelCeremony } = library.WebAuthnAbortService;
  library.startAuthentication.mockImplementation(
    () => new Promise((_, reject) => cancelCeremony.mockImplementation(() => reject(named("AbortError")))),
  );
  const asked = askForPasskey(begin, late.signal);
  await waitFor(() => expect(library.startAuthentication).toHaveBeenCalled());
  late.abort();
  await expect(asked).rejects.toBeInstanceOf(CeremonyCancelled);
  expect(cancelCeremony).toHaveBeenCalledOnce();
});

const TEXTS = { cancelled: "Nothing was done.", refused: "It was removed." };
/** What is said after a ceremony that fails with the error. */
async function saidOf(error: unknown) {
  const { result } = renderHook(() => useCeremony(TEXTS));
  await act(() => result.current.run(() => Promise.reject(error)));
  expect(result.current.isBusy).toBe(false);
  return result.current.notice;
}

it("a failure is said, and what was not gone through with is said quietly", async () => {
  expect(await saidOf(new CeremonyCancelled())).toEqual({ text: "Nothing was done.", isFailure: false });
  expect(await saidOf(new StepUpCancelled(403, "no", undefined))).toBeUndefined();
  expect(await saidOf(refusal("invalid_passkey", "no"))).toEqual({ text: "It was removed.", isFailure: true });
  expect(await saidOf(refusal("too_many_passkeys", "Too many"))).toEqual({ text: "Too many", isFailure: true });
  expect((await saidOf(new TypeError("bug")))?.text).toBe("The passkey could not be used. Please try again.");
});

it("a device that has a passkey already says so", async () => {
  library.startRegistration.mockRejectedValue(named("InvalidStateError"));
  const { result } = renderHook(() => useCeremony(TEXTS));
  await act(() => result.current.run(async (signal) => void (await createPasskey(begin, signal))));
  expect(result.current.notice?.text).toBe("This device already has a passkey for your account.");
});

it("there is one ceremony at a time, and it ends with its screen", async () => {
  const { result, unmount } = renderHook(() => useCeremony(TEXTS));
  const signals: AbortSignal[] = [];
  const ceremony = vi.fn((signal: AbortSignal) => {
    signals.push(signal);
    return new Promise<void>(() => {});
  });
  act(() => {
    void result.current.run(ceremony);
    void result.current.run(ceremony);
  });
  expect(ceremony).toHaveBeenCalledOnce();
  expect(result.current.isBusy).toBe(true);
  unmount();
  expect(signals[0]?.aborted).toBe(true);
});
