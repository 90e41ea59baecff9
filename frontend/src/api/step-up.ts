// What moves money or protects the account requires a confirmation from the last five minutes. When the server asks for
// it, the page shows a dialog, and the request is then repeated.

import { api, ApiError, errorCode, unwrap } from "./client";
import type { components } from "./schema";

/** Nothing was confirmed, so the refusal stands and nothing was done. */
export class StepUpCancelled extends ApiError {}

type Ask = () => Promise<boolean>;
/** Those who can show the dialog; the one that was added last does. */
const askers: Ask[] = [];

/** Has the listener ask the user for a confirmation; it returns whether there was one. */
export function onStepUp(ask: Ask): () => void {
  askers.push(ask);
  return () => void askers.splice(askers.lastIndexOf(ask), 1);
}

/** Makes the request; if the server requires a confirmation, asks for it and repeats the request. */
export async function withStepUp<T>(call: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      // oxlint-disable-next-line no-await-in-loop -- repeated only after the confirmation
      return await call();
    } catch (error) {
      if (!(error instanceof ApiError) || errorCode(error) !== "step_up_required") throw error;
      const ask = askers.at(-1);
      // oxlint-disable-next-line no-await-in-loop -- the confirmation comes before the repetition
      if (ask === undefined || !(await ask())) throw new StepUpCancelled(error.status, error.message, error.body);
    }
  }
}

/** A passkey, a code of the second factor or, for users without one, the password. */
export type Confirmation = components["schemas"]["StepUp"];

/** Confirms the session for a while. */
export const stepUp = async (body: Confirmation) => unwrap(await api.POST("/api/account/step-up", { body }));

/** Begins a confirmation with a passkey. */
export const beginPasskeyStepUp = async () => unwrap(await api.POST("/api/account/step-up/ceremony"));
