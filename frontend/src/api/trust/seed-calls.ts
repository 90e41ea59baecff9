import type { Client } from "openapi-fetch";
import { api, ApiError, unwrap } from "../client";
import type { TrustErrorCode, TrustPaths } from "./wire";

// The calls that are needed before the first bet; all others are in `calls.ts`, which is loaded later.

/** The same client, for the calls that its types do not have yet. */
export const trust = api as unknown as Client<TrustPaths>;

export const fetchFairness = async () => unwrap(await trust.GET("/api/fairness"));
export const chooseClientSeed = async (clientSeed: string) =>
  unwrap(await trust.PUT("/api/fairness/client-seed", { body: { clientSeed } }));

/** Whether an error is a refusal with this code. */
export const hasCode = (error: unknown, code: TrustErrorCode): boolean =>
  error instanceof ApiError && (error.body?.code as string | undefined) === code;
