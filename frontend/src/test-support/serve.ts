import { ApiError } from "@/api/error";
import type { SettledRound } from "@/games/rounds/api";
import { wireAmount } from "@/lib/money";
import type { FairHouse } from "./fair-house";
import { fetched } from "./network";

const json = (body: unknown, status = 200) =>
  new Response(JSON.stringify(body), { status, headers: { "Content-Type": "application/json" } });

/** A refusal in the server's format. */
export const refused = (status: number, code: string, message: string): Response => json({ code, message }, status);

export type Handler = (request: Request, url: URL) => Promise<Response | null> | Response | null;

const idIn = (path: string): number => Number(/\/rounds\/(\d+)/.exec(path)?.[1]);

async function answer(house: FairHouse, rounds: readonly SettledRound[], request: Request, url: URL): Promise<unknown> {
  const { pathname } = url;
  const body = async () => (await request.json()) as { clientSeed: string };
  if (pathname === "/transparency/key") return house.calls.fetchKeys();
  if (pathname === "/api/fairness") return house.state();
  if (pathname === "/api/fairness/client-seed") {
    house.clientSeed = (await body()).clientSeed;
    house.clientSeedBy = "player";
    return house.state();
  }
  if (pathname === "/api/fairness/rotate") return house.rotate((await body()).clientSeed);
  if (pathname === "/api/fairness/pairs") return house.former;
  if (pathname === "/api/game-history")
    return rounds.map((round) => ({ ...round, profit: wireAmount(0) })).toSorted((a, b) => b.id - a.id);
  if (pathname.endsWith("/receipt")) return house.calls.fetchReceipt(idIn(pathname));
  if (pathname.endsWith("/proof")) return house.proof(idIn(pathname));
  if (pathname === "/api/log/consistency")
    return {
      path: await house.calls.fetchConsistency(
        Number(url.searchParams.get("from")),
        Number(url.searchParams.get("to")),
      ),
    };
  const round = rounds.find(({ id }) => pathname === `/api/rounds/${id}`);
  return round ? { ...round, serverSeed: seedOf(house, round) } : null;
}

const seedOf = (house: FairHouse, { serverSeedHash }: SettledRound): string | null =>
  house.former.find((pair) => pair.serverSeedHash === serverSeedHash)?.serverSeed ?? null;

/** Answers all calls as the house would, after the handler, which may answer otherwise. */
export function serve(house: FairHouse, rounds: readonly SettledRound[] = [], handle: Handler = () => null): void {
  fetched.mockImplementation(async (sent: Request | string) => {
    const request = typeof sent === "string" ? new Request(sent) : sent;
    const url = new URL(request.url);
    const special = await handle(request, url);
    if (special) return special;
    try {
      const body = await answer(house, rounds, request, url);
      if (typeof body === "string" || body instanceof Uint8Array) return new Response(body as BodyInit);
      return body === null ? refused(404, "not_found", "There is no such thing.") : json(body);
    } catch (error) {
      if (error instanceof ApiError) return refused(error.status, "not_found", error.message);
      throw error;
    }
  });
}
