import { readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type APIRequestContext, type BrowserContext, expect, request } from "@playwright/test";
import { enrol, withCode } from "./authenticator";

// The administrator of the house under test. An authenticator's code counts once in half a minute, so all tests share
// one session, which is opened before the first of them and kept beside the house's database.

export const ADMINISTRATOR = { username: "admin", password: process.env.GLASSHOUSE_E2E_ADMIN_PASSWORD ?? "" };
export const BASE_URL = process.env.GLASSHOUSE_E2E_URL ?? "http://127.0.0.1:8080";

type State = Awaited<ReturnType<APIRequestContext["storageState"]>>;
type Kept = { secret: string; state: State };

function file(): string {
  const database = process.env.GLASSHOUSE_E2E_DATABASE;
  if (database === undefined) throw new Error("GLASSHOUSE_E2E_DATABASE must be the path of the house's database");
  return join(dirname(database), "e2e-administrator.json");
}

const read = async (): Promise<Kept> => JSON.parse(await readFile(file(), "utf8")) as Kept;
const keep = (kept: Kept) => writeFile(file(), JSON.stringify(kept), { mode: 0o600 });

/** Signs in, and sets an authenticator up the first time. An earlier run's session is used if it is still open. */
export default async function openSession(): Promise<void> {
  const earlier = await read().catch(() => null);
  const calls = await request.newContext({ baseURL: BASE_URL, ...(earlier ? { storageState: earlier.state } : {}) });
  if (!(await calls.get("/api/admin/summary")).ok()) {
    let secret = earlier?.secret;
    if (secret === undefined) {
      const answer = await calls.post("/api/login", { data: ADMINISTRATOR });
      expect(answer.ok(), "GLASSHOUSE_E2E_ADMIN_PASSWORD must be the administrator's").toBe(true);
      ({ secret } = await enrol(calls));
    } else {
      await withCode(secret, async (secondFactor) =>
        (await calls.post("/api/login", { data: { ...ADMINISTRATOR, secondFactor } })).ok(),
      );
    }
    await keep({ secret, state: await calls.storageState() });
  }
  await calls.dispose();
}

/** Signs the pages of a context in as the administrator, in a session of its own, which a test may end. */
export async function signInApart(context: BrowserContext): Promise<void> {
  await withCode(await administratorSecret(), async (secondFactor) =>
    (await context.request.post("/api/login", { data: { ...ADMINISTRATOR, secondFactor } })).ok(),
  );
}

/** A context for the administrator's own calls. */
export const administratorCalls = async (): Promise<APIRequestContext> =>
  request.newContext({ baseURL: BASE_URL, storageState: (await read()).state });

/** Signs the pages of a context in as the administrator. */
export const signInAsAdministrator = async (context: BrowserContext): Promise<void> =>
  context.addCookies((await read()).state.cookies);

export const administratorSecret = async (): Promise<string> => (await read()).secret;

/** What a test takes, at most. Its calls would be refused if the confirmation ended in the middle of it. */
const LEAST_LEFT_MS = 120_000;

/** Confirms the shared session, unless that was done within the last minutes. */
export async function confirmAdministrator(calls: APIRequestContext): Promise<void> {
  await withCode(await administratorSecret(), async (secondFactor) => {
    const { validUntil } = (await (await calls.get("/api/admin/step-up")).json()) as { validUntil: string | null };
    const isLongEnough = validUntil !== null && Date.parse(validUntil) - Date.now() > LEAST_LEFT_MS;
    return isLongEnough || (await calls.post("/api/admin/step-up", { data: { secondFactor } })).ok();
  });
}
