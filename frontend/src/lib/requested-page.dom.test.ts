import { expect, it } from "vitest";
import { requestedPage, returningTo } from "./requested-page";

it("returns to the page with its query and hash", () => {
  const state = returningTo({ pathname: "/history", search: "?game=dice&x=1", hash: "#last" });
  expect(requestedPage(state)).toBe("/history?game=dice&x=1#last");
});

it.each([
  undefined,
  null,
  "/crash",
  {},
  { from: 5 },
  { from: "" },
  { from: "crash" },
  { from: "//evil.example" },
  { from: "/\\evil.example" },
  { from: "https://evil.example/" },
  { from: "javascript:alert(1)" },
])("goes to the dashboard for %j", (state) => expect(requestedPage(state)).toBe("/dashboard"));
