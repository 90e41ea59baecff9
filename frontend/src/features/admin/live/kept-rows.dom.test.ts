import { beforeEach, expect, it, vi } from "vitest";

/** As after a reload of the page, whose storage stays. */
async function reloaded() {
  vi.resetModules();
  return import("./kept-rows");
}
beforeEach(() => sessionStorage.clear());

it("asks for as many rows as were shown, up to what one page may have", async () => {
  const { firstPageOf, keepRows } = await reloaded();
  expect(firstPageOf("users?", 50)).toBe(50);
  keepRows("users?", 130);
  // Until then the pages that follow would not fit.
  expect(firstPageOf("users?", 50)).toBe(50);
  const after = await reloaded();
  expect(after.firstPageOf("users?", 50)).toBe(150);
  expect(after.firstPageOf("users?status=banned", 50)).toBe(50);
  after.keepRows("users?", 900);
  expect((await reloaded()).firstPageOf("users?", 50)).toBe(200);
});

it("takes broken storage for none", async () => {
  sessionStorage.setItem("glasshouse-admin-rows:users?", "many");
  expect((await reloaded()).firstPageOf("users?", 50)).toBe(50);
});
