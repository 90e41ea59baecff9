// What needs a passkey takes three steps, which are called a ceremony: the server sets a challenge, the browser asks
// the user and answers it, and the server checks the answer.

import { errorMessage } from "./client";
import type { components } from "./schema";

type Schemas = components["schemas"];
type Library = typeof import("@simplewebauthn/browser");

export type Ceremony = Schemas["PasskeyCeremony"];
/** What a passkey has signed. */
export type Assertion = Schemas["PasskeyAssertion"];

/** The user, or the browser in the user's place, did not go through with it. Nothing is wrong, and nothing was done. */
export class CeremonyCancelled extends Error {}

/** The browser refused, for a reason that can be told to the user. */
class BrowserRefusal extends Error {}

const REFUSALS: Readonly<Record<string, string>> = {
  InvalidStateError: "This device already has a passkey for your account.",
  ConstraintError: "This device cannot keep a passkey. It needs a screen lock, such as a fingerprint or a PIN.",
  NotSupportedError: "This device cannot keep a passkey that Glasshouse can check.",
  SecurityError: "The browser does not allow passkeys at this address.",
};

function meaningOf(error: unknown): unknown {
  const name = error instanceof Error ? error.name : "";
  if (name === "NotAllowedError" || name === "AbortError") return new CeremonyCancelled(name, { cause: error });
  const text = REFUSALS[name];
  return text === undefined ? error : new BrowserRefusal(text, { cause: error });
}

/** The library is loaded when a passkey is first asked for. */
const loaded = (): Promise<Library> => import("@simplewebauthn/browser");

type Ask<T> = (library: Library, options: unknown) => Promise<T>;

/** Aborting the signal also ends the browser's question. */
async function answered<T>(begin: () => Promise<Ceremony>, ask: Ask<T>, signal: AbortSignal) {
  const [library, { ceremony, options }] = await Promise.all([loaded(), begin()]);
  if (signal.aborted) throw new CeremonyCancelled("it is no longer needed");
  const cancel = () => library.WebAuthnAbortService.cancelCeremony();
  signal.addEventListener("abort", cancel);
  try {
    return { ceremony, credential: await ask(library, options) };
  } catch (error) {
    throw meaningOf(error);
  } finally {
    signal.removeEventListener("abort", cancel);
  }
}

// The server's document describes what WebAuthn defines as objects without fields.

/** Has the browser make a passkey. */
export const createPasskey = (
  begin: () => Promise<Ceremony>,
  signal: AbortSignal,
): Promise<Omit<Schemas["NewPasskey"], "name">> =>
  answered(
    begin,
    async ({ startRegistration }, options) => {
      const optionsJSON = options as Parameters<typeof startRegistration>[0]["optionsJSON"];
      return (await startRegistration({ optionsJSON })) as unknown as Schemas["NewPasskey"]["credential"];
    },
    signal,
  );

/** Has the browser answer the challenge with a passkey. */
export const askForPasskey = (begin: () => Promise<Ceremony>, signal: AbortSignal): Promise<Assertion> =>
  answered(
    begin,
    async ({ startAuthentication }, options) => {
      const optionsJSON = options as Parameters<typeof startAuthentication>[0]["optionsJSON"];
      return (await startAuthentication({ optionsJSON })) as unknown as Assertion["credential"];
    },
    signal,
  );

/** What is said of a ceremony that failed. */
export function ceremonyMessage(error: unknown): string {
  if (error instanceof BrowserRefusal) return error.message;
  return errorMessage(error, "The passkey could not be used. Please try again.");
}
