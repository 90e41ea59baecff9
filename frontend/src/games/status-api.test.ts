import { afterEach, expect, it, vi } from "vitest";
import { api } from "@/api/client";
import { fetchGameStatuses } from "./status-api";

afterEach(() => vi.restoreAllMocks());

it("drops a status that this version does not know", async () => {
  const data = [
    { name: "mines", status: "open" },
    { name: "dice", status: "paused" },
    { name: "crash", status: "haunted" },
  ];
  vi.spyOn(api, "GET").mockResolvedValue({ data, response: new Response() } as never);
  expect(await fetchGameStatuses()).toEqual(data.slice(0, 2));
});
