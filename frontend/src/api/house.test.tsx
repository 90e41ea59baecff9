import { act, cleanup, render, screen, waitFor } from "@testing-library/react";
import { SWRConfig } from "swr";
import { afterEach, expect, it } from "vitest";
import { fetched } from "@/test-support/network";
import { api } from "./client";
import { ApiError, isDecided } from "./error";
import { HouseProvider, useHouse } from "./house";

const RUNNING = { maintenance: null, deposits: null, withdrawals: null, registration: null };
function Shown() {
  const { deposits } = useHouse();
  return <p>{deposits === null ? "running" : deposits.reason}</p>;
}
const app = (at: string) => (
  <SWRConfig value={{ provider: () => new Map(), dedupingInterval: 0, revalidateOnFocus: false }}>
    <HouseProvider screen={at}>
      <Shown />
    </HouseProvider>
  </SWRConfig>
);

afterEach(() => {
  cleanup();
  fetched.mockReset();
});

it("learns that something is stopped from another screen, and from a refusal", async () => {
  let house: object = RUNNING;
  fetched.mockImplementation(async (request) =>
    request.url.endsWith("/api/house")
      ? Response.json(house)
      : Response.json({ message: "Deposits are paused: lunch", code: "deposits_paused" }, { status: 409 }),
  );
  const { rerender } = render(app("/one"));
  expect(screen.getByText("running")).toBeVisible();
  house = { ...RUNNING, deposits: { reason: "dinner" } };
  rerender(app("/two"));
  await waitFor(() => expect(screen.getByText("dinner")).toBeVisible());
  house = { ...RUNNING, deposits: { reason: "lunch" } };
  const refused = api.POST("/api/deposits/create", { body: { amount: "20.00", cryptoCurrency: "btc" } });
  await act(async () => expect(refused).rejects.toMatchObject({ status: 409 }));
  await waitFor(() => expect(screen.getByText("lunch")).toBeVisible());
});

it("takes maintenance for a refusal, not for a lost answer", () => {
  expect(isDecided(new ApiError(503, "We are moving", { code: "maintenance" }))).toBe(true);
  expect(isDecided(new ApiError(503, "It is down", { code: "database_unavailable" }))).toBe(false);
});
