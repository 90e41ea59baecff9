import { createHmac } from "node:crypto";
import { type APIRequestContext, expect, type Locator } from "@playwright/test";

// An authenticator, as users have it on their phones.

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
const STEP_MS = 30_000;

function fromBase32(text: string): Buffer {
  const bits = [...text].map((letter) => ALPHABET.indexOf(letter).toString(2).padStart(5, "0")).join("");
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}

/** The code (RFC 6238) that an authenticator with this secret shows now, or so many steps from now. */
export function codeOf(secret: string, steps = 0): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / STEP_MS) + steps));
  const mac = createHmac("sha1", fromBase32(secret)).update(counter).digest();
  const offset = (mac.at(-1) ?? 0) & 0xf;
  return String((mac.readUInt32BE(offset) & 0x7fff_ffff) % 1_000_000).padStart(6, "0");
}

export type Enrolled = { secret: string; recoveryCodes: string[] };

/** Sets an authenticator up for the user of a session that has just begun. */
export async function enrol(calls: APIRequestContext): Promise<Enrolled> {
  const begun = await calls.post("/api/account/second-factor/authenticator");
  expect(begun.ok(), await begun.text()).toBe(true);
  const { secret } = (await begun.json()) as { secret: string };
  const confirm = "/api/account/second-factor/authenticator/confirm";
  const confirmed = await calls.post(confirm, { data: { code: codeOf(secret) } });
  expect(confirmed.ok(), await confirmed.text()).toBe(true);
  return { secret, ...((await confirmed.json()) as { recoveryCodes: string[] }) };
}

/** A code counts once, so a call with one is repeated with the next until it was not used elsewhere. */
export async function withCode(secret: string, isAccepted: (code: string) => Promise<boolean>): Promise<void> {
  await expect.poll(() => isAccepted(codeOf(secret)), { intervals: [5000], timeout: 90_000 }).toBe(true);
}

/** Enters codes in a dialog until one was accepted. */
export async function enterCode(dialog: Locator, secret: string): Promise<void> {
  await withCode(secret, async () => {
    await dialog.getByLabel("Code").fill(codeOf(secret));
    await dialog.getByRole("button", { name: "Continue" }).click();
    const refused = dialog.getByText("This code is wrong");
    await expect(dialog.or(refused).first())
      .toBeHidden({ timeout: 3000 })
      .catch(() => undefined);
    return !(await dialog.isVisible());
  });
}
