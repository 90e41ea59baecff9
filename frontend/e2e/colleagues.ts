// Further administrators and the players of a house that belongs to a test.

import { type APIRequestContext, expect, type Page, request } from "@playwright/test";
import type { Player } from "./admin-support";
import { enrol } from "./authenticator";
import type { OwnHouse } from "./own-house";
import { PASSWORD, setBalance } from "./support";

const CHOSEN = "c4reful-hands-of-another";

export type Colleague = { username: string; calls: APIRequestContext; recoveryCodes: string[] };

/** Creates an administrator with this role, and signs in. */
export async function hire(house: OwnHouse, role: string, name: string): Promise<Colleague> {
  const { code, text } = await house.command("admin", "create", name, "--role", role);
  expect(code, text).toBe(0);
  const password = /valid for 72 hours: (\S+)/.exec(text)?.[1] ?? "";
  const calls = await request.newContext({ baseURL: house.url });
  await post(calls, "/api/login", { username: name, password });
  await post(calls, "/api/account/password", { currentPassword: password, newPassword: CHOSEN });
  return { username: name, calls, recoveryCodes: (await enrol(calls)).recoveryCodes };
}

/** Creates an administrator with this role, named like it unless said otherwise, and signs in. */
export const colleague = async (house: OwnHouse, role: string, name = role): Promise<APIRequestContext> =>
  (await hire(house, role, name)).calls;

/** Signs a colleague in again, with a recovery code, because no code of the authenticator counts twice. */
export async function signInAgain({ username, calls, recoveryCodes }: Colleague): Promise<void> {
  await post(calls, "/api/login", { username, password: CHOSEN, secondFactor: recoveryCodes.pop() });
}

/** Registers a player of the house, to whom the administrator gives this balance. */
export async function playerOf(
  house: OwnHouse,
  administrator: APIRequestContext,
  username: string,
  balance: string,
): Promise<Player> {
  const calls = await request.newContext({ baseURL: house.url });
  const { id } = await post<{ id: number }>(calls, "/api/register", { username, password: PASSWORD });
  if (balance !== "0.00") await setBalance(administrator, id, balance);
  return { id, username, calls };
}

/** Signs the page in as whoever makes these calls. */
export async function takeOver(page: Page, calls: APIRequestContext): Promise<void> {
  await page.context().clearCookies();
  await page.context().addCookies((await calls.storageState()).cookies);
}

/** Signs the page in as an administrator with this role, who has just been created. */
export async function signInAs(page: Page, house: OwnHouse, role: string): Promise<void> {
  const calls = await colleague(house, role);
  await takeOver(page, calls);
  await calls.dispose();
}

/** A call that is to succeed. */
export async function post<T>(calls: APIRequestContext, path: string, data: object): Promise<T> {
  const answer = await calls.post(path, { data });
  expect(answer.ok(), `${path}: ${await answer.text()}`).toBe(true);
  return (answer.status() === 204 ? null : await answer.json()) as T;
}
