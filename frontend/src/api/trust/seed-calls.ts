import { api, unwrap } from "../client";

// The calls that are needed before the first bet; all others are in `calls.ts`, which is loaded later.

export const fetchFairness = async () => unwrap(await api.GET("/api/fairness"));
export const chooseClientSeed = async (clientSeed: string) =>
  unwrap(await api.PUT("/api/fairness/client-seed", { body: { clientSeed } }));
