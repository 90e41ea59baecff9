import { beforeEach, expect, it, vi } from "vitest";
import { fetched } from "@/test-support/network";
import { FairHouse } from "@/test-support/fair-house";
import { type Handler, refused, serve } from "@/test-support/serve";

let house: FairHouse;
let asked: string[];

beforeEach(async () => {
  vi.resetModules();
  localStorage.clear();
  vi.spyOn(console, "info").mockReturnValue();
  house = await FairHouse.open();
  house.clientSeedBy = "house";
  asked = [];
});

function answering(handle: Handler = () => null): void {
  fetched.mockReset();
  serve(house, [], (request, url) => {
    asked.push(`${request.method} ${url.pathname}`);
    return handle(request, url);
  });
}

const STATE = "GET /api/fairness";
const REPLACED = [STATE, "PUT /api/fairness/client-seed"];

it("replaces the house's client seed before the first bet", async () => {
  answering();
  const { clientSeedChosen, setPlayer } = await import("./own-client-seed");
  setPlayer(7);
  await clientSeedChosen();
  expect(asked).toEqual(REPLACED);
  expect(house.clientSeedBy).toBe("player");
  expect(house.clientSeed).toMatch(/^[0-9a-f]{32}$/);
  // Later bets and visits do not ask again.
  await clientSeedChosen();
  setPlayer(null);
  setPlayer(7);
  await clientSeedChosen();
  expect(asked).toEqual(REPLACED);
});

it.each([
  ["the player's", () => (house.clientSeedBy = "player")],
  ["used", () => (house.nonce = 1)],
])("leaves a client seed that is %s", async (_, change) => {
  change();
  answering();
  const { clientSeedChosen, setPlayer } = await import("./own-client-seed");
  setPlayer(7);
  await clientSeedChosen();
  expect(asked).toEqual([STATE]);
  expect(house.clientSeed).toBe("house-seed");
});

it("holds bets back until the client seed is set, and tries again with each", async () => {
  let isDown = true;
  answering((request) => (isDown && request.method === "PUT" ? refused(503, "busy", "Please try again.") : null));
  const { clientSeedChosen, setPlayer } = await import("./own-client-seed");
  setPlayer(7);
  await expect(clientSeedChosen()).rejects.toThrow("Please try again.");
  await expect(clientSeedChosen()).rejects.toThrow("Please try again.");
  isDown = false;
  await clientSeedChosen();
  expect(house.clientSeedBy).toBe("player");
});

it("lets bets through if a round was played elsewhere in the meantime", async () => {
  answering((request) => (request.method === "PUT" ? refused(409, "seed_pair_used", "The pair is in use.") : null));
  const { clientSeedChosen, setPlayer } = await import("./own-client-seed");
  setPlayer(7);
  await clientSeedChosen();
  expect(asked).toEqual(REPLACED);
});

it("asks for each player, and for nobody if nobody is signed in", async () => {
  answering();
  const { clientSeedChosen, setPlayer } = await import("./own-client-seed");
  await clientSeedChosen();
  expect(asked).toEqual([]);
  setPlayer(7);
  await clientSeedChosen();
  house.clientSeedBy = "house";
  setPlayer(8);
  await clientSeedChosen();
  expect(asked).toEqual([...REPLACED, ...REPLACED]);
});

it("works without storage", async () => {
  answering();
  const blocked = vi.spyOn(Storage.prototype, "getItem").mockImplementation(() => {
    throw new DOMException("storage is blocked", "SecurityError");
  });
  const { clientSeedChosen, setPlayer } = await import("./own-client-seed");
  setPlayer(7);
  await clientSeedChosen();
  await clientSeedChosen();
  expect(asked).toEqual(REPLACED);
  blocked.mockRestore();
});
