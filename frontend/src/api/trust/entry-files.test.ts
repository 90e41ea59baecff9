import { expect, it, vi } from "vitest";
import { refusal } from "@/test-support/fair-house";
import { EntryFiles } from "./entry-files";

const BUNDLE = Uint8Array.of(0, 1, 65, 0, 1, 66);

it("reads neighbouring entries from one file", async () => {
  const fetch = vi.fn<(path: string) => Promise<typeof BUNDLE>>().mockResolvedValue(BUNDLE);
  const files = new EntryFiles(fetch);
  expect(await files.read({ index: 0, size: 2 })).toEqual(Uint8Array.of(65));
  expect(await files.read({ index: 1, size: 2 })).toEqual(Uint8Array.of(66));
  expect(fetch.mock.calls).toEqual([["tile/entries/000.p/2"]]);
});

it("uses the full file once the partial one is gone, and keeps no failure", async () => {
  const fetch = vi.fn((path: string) =>
    path.includes(".p/") ? Promise.reject(refusal(404, "gone")) : Promise.resolve(BUNDLE),
  );
  expect(await new EntryFiles(fetch).read({ index: 1, size: 2 })).toEqual(Uint8Array.of(66));
  let isDown = true;
  const files = new EntryFiles(() => (isDown ? Promise.reject(new TypeError("down")) : Promise.resolve(BUNDLE)));
  await expect(files.read({ index: 0, size: 2 })).rejects.toThrow("down");
  isDown = false;
  expect(await files.read({ index: 0, size: 2 })).toEqual(Uint8Array.of(65));
});
