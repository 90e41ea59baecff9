import { expect, it, vi } from "vitest";
import { deferred } from "@/test-support/deferred";
import { houseWith } from "@/test-support/trust";
import { KeyRing } from "./key-ring";
import { TrustStore } from "./store";
import { MemoryDatabase } from "./tables";

const PLAYER = 7;
const NOTE = "A note of the house\n";

it("loads the keys once for notes that are verified at the same time", async () => {
  const house = await houseWith();
  const store = new TrustStore(PLAYER, new MemoryDatabase());
  // The second one asks the store before the first one has stored what it fetched, and is answered afterwards.
  const [first, second] = [deferred<string[]>(), deferred<string[]>()];
  const answers = [first.promise, second.promise];
  const stored = store.keys.bind(store);
  vi.spyOn(store, "keys").mockImplementation(() => answers.shift() ?? stored());
  const remember = store.rememberKeys.bind(store);
  vi.spyOn(store, "rememberKeys").mockImplementation(async (keys) => {
    second.resolve([]);
    await second.promise;
    await remember(keys);
  });
  const fetchKeys = vi.fn(() => Promise.resolve(`${house.key}\n`));
  const ring = new KeyRing(store, fetchKeys);
  const note = await house.sign(NOTE);
  const found = Promise.all([ring.check(note), ring.check(note)]);
  first.resolve([]);
  expect(await found).toEqual([null, null]);
  expect(fetchKeys).toHaveBeenCalledTimes(1);
  expect((await ring.keys()).map(({ text }) => text)).toEqual([house.key]);
  expect(await stored()).toEqual([house.key]);
});

it("asks again after the keys could not be loaded", async () => {
  const house = await houseWith();
  const fetchKeys = vi.fn(() => Promise.resolve(`${house.key}\n`));
  fetchKeys.mockRejectedValueOnce(new TypeError("the network is down"));
  const ring = new KeyRing(new TrustStore(PLAYER, new MemoryDatabase()), fetchKeys);
  await expect(ring.keys()).rejects.toThrow("the network is down");
  expect((await ring.keys()).map(({ text }) => text)).toEqual([house.key]);
});

it("reports a new key once for notes that are verified at the same time, and accepts it once", async () => {
  const [former, house] = [await houseWith(1), await houseWith(2)];
  const store = new TrustStore(PLAYER, new MemoryDatabase());
  await store.rememberKeys([former.key]);
  const ring = new KeyRing(store, () => Promise.resolve(`${house.key}\n`));
  const note = await house.sign(NOTE);
  const found = await Promise.all([ring.check(note), ring.check(note)]);
  expect(found.map((failure) => failure && `${failure.kind} ${failure.subject}`)).toEqual([
    `key_changed ${house.key}`,
    `key_changed ${house.key}`,
  ]);
  expect(await store.keys()).toEqual([former.key, house.key]);
});
