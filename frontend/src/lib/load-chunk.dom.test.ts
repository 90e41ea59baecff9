import { afterEach, expect, it, vi } from "vitest";
import { fileOf, loadChunk } from "./load-chunk";

/** As the build writes a dynamic import. */
const importing = (file: string, load: () => Promise<string>) =>
  Object.assign(load, { toString: () => `()=>import("./${file}")` });

afterEach(() => {
  vi.unstubAllGlobals();
  document.head.replaceChildren();
});

it("finds the file in the text of an import", () => {
  for (const text of [
    '()=>import("./dice-a1.js")',
    "() => import(`./dice-a1.js`)",
    "()=>import('./dice-a1.js').then(a)",
  ])
    expect(fileOf(Object.assign(() => undefined, { toString: () => text }))).toBe("assets/dice-a1.js");
  expect(fileOf(() => "./dice-a1.js")).toBeNull();
});

it("imports nothing before everything was fetched, and can be asked again", async () => {
  const load = importing(
    "one.js",
    vi.fn(async () => "loaded"),
  );
  const responses = [new Response("", { status: 503 }), new Response("one")];
  const get = vi.fn(async (path: string) => (path === "/assets/one.js" ? responses.shift() : new Response("other")));
  vi.stubGlobal("fetch", get);
  await expect(loadChunk(load, ["assets/other.js", "assets/one.js"])).rejects.toThrow(
    "/assets/one.js could not be loaded",
  );
  expect(load).not.toHaveBeenCalled();
  await expect(loadChunk(load, ["assets/other.js", "assets/one.js"])).resolves.toBe("loaded");
  // Each file once more at most, and none that is there.
  expect(get.mock.calls.map(([path]) => path).toSorted()).toEqual([
    "/assets/one.js",
    "/assets/one.js",
    "/assets/other.js",
  ]);
  await loadChunk(load, ["assets/other.js"]);
  expect(get).toHaveBeenCalledTimes(3);
});

it("fetches nothing that the page has loaded by itself", async () => {
  const link = document.createElement("link");
  link.setAttribute("href", "/assets/page.js");
  document.head.append(link);
  const get = vi.fn();
  vi.stubGlobal("fetch", get);
  await expect(loadChunk(importing("page.js", async () => "page"))).resolves.toBe("page");
  expect(get).not.toHaveBeenCalled();
});
