import { api, ApiError, ConnectionError, unwrap } from "../client";
import { type Page, pageOf, pageQuery } from "../pages";
import type { FormerPair } from "./wire";

export { fetchFairness } from "./seed-calls";

const PAIRS_PAGE = 20;

/** Reveals the active pair and activates the committed server seed with this client seed. */
export const rotateSeeds = async (clientSeed: string, nextServerSeedHash: string) =>
  unwrap(await api.POST("/api/fairness/rotate", { body: { clientSeed, nextServerSeedHash } }));
/** The revealed pairs, newest first. */
export const fetchPairs = async (cursor: string | null): Promise<Page<FormerPair>> =>
  pageOf(await api.GET("/api/fairness/pairs", { params: { query: pageQuery(PAIRS_PAGE, cursor) } }));
export const fetchReceipt = async (id: number) =>
  unwrap(await api.GET("/api/rounds/{id}/receipt", { params: { path: { id } } }));
export const fetchProof = async (id: number) =>
  unwrap(await api.GET("/api/rounds/{id}/proof", { params: { path: { id } } }));
/** One of the player's settled rounds, as the house shows it now. */
export const fetchRound = async (id: number): Promise<unknown> =>
  unwrap(await api.GET("/api/rounds/{id}", { params: { path: { id } } }));

/** Null if the server says that there is no such thing. */
async function orNull<T>(asked: Promise<T>): Promise<T | null> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return null;
    throw error;
  }
}

/** The proof that the log of one size continues that of another; null if it does not have these sizes. */
export const fetchConsistency = async (from: number, to: number): Promise<string[] | null> => {
  const answer = await orNull(api.GET("/api/log/consistency", { params: { query: { from, to } } }));
  return answer && unwrap(answer).path;
};

async function fetchPublic(path: string): Promise<Response> {
  const response = await fetch(path, { credentials: "same-origin" }).catch((error: unknown) => {
    throw new ConnectionError(error);
  });
  if (!response.ok) throw new ApiError(response.status, `${response.status}: ${response.statusText}`, undefined);
  return response;
}

/** The published verifier keys, one per line. */
export const fetchKeys = async (): Promise<string> => (await fetchPublic("/transparency/key")).text();
/** A file of the public log. */
export const fetchLogFile = async (path: string): Promise<Uint8Array<ArrayBuffer>> =>
  new Uint8Array(await (await fetchPublic(`/log/${path}`)).arrayBuffer());
/** The newest checkpoint of the public log; null if there is no log. */
export const fetchCheckpoint = async (): Promise<string | null> =>
  orNull(fetchPublic("/log/checkpoint").then((response) => response.text()));
