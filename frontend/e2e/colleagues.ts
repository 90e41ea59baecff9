// Further administrators of a house that belongs to a test.

import { type APIRequestContext, expect, type Page, request } from "@playwright/test";
import { enrol } from "./authenticator";
import type { OwnHouse } from "./own-house";

const CHOSEN = "c4reful-hands-of-another";

/** Creates an administrator with this role, named like it unless said otherwise, and signs in. */
export async function colleague(house: OwnHouse, role: string, name = role): Promise<APIRequestContext> {
  const { code, text } = await house.command("admin", "create", name, "--role", role);
  expect(code, text).toBe(0);
  const password = /valid for 72 hours: (\S+)/.exec(text)?.[1] ?? "";
  const calls = await request.newContext({ baseURL: house.url });
  await post(calls, "/api/login", { username: name, password });
  await post(calls, "/api/account/password", { currentPassword: password, newPassword: CHOSEN });
  await enrol(calls);
  return calls;
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
