import { cleanup, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import "@/test-support/network";
import { SWRConfig } from "swr";
import { playDice } from "@/test-support/dice-rounds";
import { FairHouse } from "@/test-support/fair-house";
import { refused, serve } from "@/test-support/serve";
import { PairsTab } from "./pairs-tab";
import { SeedsTab } from "./seeds-tab";

let house: FairHouse;

beforeEach(async () => {
  house = await FairHouse.open();
  serve(house);
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

const show = (tab: React.ReactNode) => render(<SWRConfig value={{ provider: () => new Map() }}>{tab}</SWRConfig>);
const button = (name: string) => screen.getByRole("button", { name });
const openSeeds = async () => {
  show(<SeedsTab />);
  await screen.findByText("Server seed hash");
};

it("shows both hashes, the client seed and who chose it", async () => {
  const { serverSeedHash, nextServerSeedHash } = await house.state();
  await openSeeds();
  expect(screen.getByText(serverSeedHash)).toBeVisible();
  expect(screen.getByText(nextServerSeedHash)).toBeVisible();
  expect(screen.getByText("house-seed")).toBeVisible();
  expect(screen.getByText("Chosen by you or your browser.")).toBeVisible();
  expect(screen.getByTestId("nonce")).toHaveTextContent("0");
});

it("says that the house chose the client seed", async () => {
  house.clientSeedBy = "house";
  await openSeeds();
  expect(screen.getByText(/^Chosen by the house\./)).toBeVisible();
});

it("rotates to the committed seed with a random client seed, and compares what is revealed", async () => {
  const { nextServerSeedHash } = await house.state();
  const seed = house.serverSeed;
  await openSeeds();
  const proposed = screen.getByLabelText<HTMLInputElement>("New client seed").value;
  expect(proposed).toMatch(/^[0-9a-f]{32}$/);
  fireEvent.click(button("Rotate seeds"));
  expect(await screen.findByText("The revealed seed has the hash that was shown before.")).toBeVisible();
  expect(screen.getByText("The new pair uses the server seed that was fixed before.")).toBeVisible();
  expect(screen.getByText(seed)).toBeVisible();
  expect(screen.getByText(nextServerSeedHash)).toBeVisible();
  expect(house.clientSeed).toBe(proposed);
  expect(screen.getByLabelText<HTMLInputElement>("New client seed").value).not.toBe(proposed);
});

it("says so if the new pair or the revealed seed is not the committed one", async () => {
  await openSeeds();
  await house.rotate("elsewhere");
  fireEvent.click(button("Rotate seeds"));
  expect(await screen.findByText("The revealed seed does not have the hash that was shown before.")).toBeVisible();
  expect(screen.getByText("The new pair does not use the server seed that was fixed before.")).toBeVisible();
});

it("shows the new next hash and asks again if it has changed", async () => {
  await openSeeds();
  await house.rotate("elsewhere");
  let refusals = 1;
  serve(house, [], (_, { pathname }) => {
    if (pathname !== "/api/fairness/rotate" || refusals === 0) return null;
    refusals -= 1;
    return refused(409, "next_seed_changed", "The next server seed has changed.");
  });
  const { nextServerSeedHash } = await house.state();
  fireEvent.click(button("Rotate seeds"));
  expect(await screen.findByRole("alert")).toHaveTextContent("Nothing was rotated");
  expect(await screen.findByText(nextServerSeedHash)).toBeVisible();
  fireEvent.click(button("Rotate seeds"));
  expect(await screen.findByText("The new pair uses the server seed that was fixed before.")).toBeVisible();
  expect(screen.queryByRole("alert")).toBeNull();
});

it("refuses an invalid client seed", async () => {
  await openSeeds();
  fireEvent.change(screen.getByLabelText("New client seed"), { target: { value: "two words" } });
  fireEvent.click(button("Rotate seeds"));
  expect(screen.getByLabelText("New client seed")).toBeInvalid();
});

it("proves everything with one button", async () => {
  const rounds = [await playDice(house, 1), await playDice(house, 2), await playDice(house, 3)];
  serve(house, rounds);
  await openSeeds();
  fireEvent.click(button("Prove everything"));
  const region = within(screen.getByRole("region", { name: "Prove everything" }));
  expect(await region.findByText("Everything holds: 3 rounds are exactly what the seeds give.")).toBeVisible();
  expect(screen.getByText("The revealed seed has the hash that was shown before.")).toBeVisible();
  expect(screen.getByTestId("nonce")).toHaveTextContent("0");
  await waitFor(() => expect(button("Prove everything")).toBeDisabled());
});

it("names the rounds that do not hold, and rounds with a client seed by the house", async () => {
  house.clientSeedBy = "house";
  const rounds = [await playDice(house, 1), { ...(await playDice(house, 2)), winAmount: "5.00" }];
  serve(house, rounds);
  await openSeeds();
  fireEvent.click(button("Prove everything"));
  const region = within(screen.getByRole("region", { name: "Prove everything" }));
  expect(await region.findByText("1 of the checks did not hold.")).toBeVisible();
  expect(region.getByText(/^Round 2:/)).toHaveTextContent("It is not what its seeds give.");
  expect(region.getByText(/^The house chose the client seed/)).toBeVisible();
});

it("continues to prove a revealed pair after a failure", async () => {
  const rounds = [await playDice(house, 1)];
  let isDown = true;
  serve(house, rounds, (_, { pathname }) =>
    isDown && pathname === "/api/game-history" ? refused(503, "busy", "Please try again.") : null,
  );
  await openSeeds();
  fireEvent.click(button("Prove everything"));
  expect(await screen.findByText("Please try again.")).toBeVisible();
  isDown = false;
  fireEvent.click(button("Try Again"));
  expect(await screen.findByText("Everything holds: 1 round is exactly what the seeds give.")).toBeVisible();
});

it("has nothing to prove before the first round", async () => {
  await openSeeds();
  expect(button("Prove everything")).toBeDisabled();
  expect(screen.getByText(/^Once you have played a round/)).toBeVisible();
});

it("says that the seeds could not be loaded", async () => {
  let isDown = true;
  serve(house, [], () => (isDown ? refused(503, "busy", "Please try again.") : null));
  show(<SeedsTab />);
  expect(await screen.findByText("The seeds could not be loaded")).toBeVisible();
  isDown = false;
  fireEvent.click(button("Try Again"));
  expect(await screen.findByText("Server seed hash")).toBeVisible();
});

it("lists former pairs page by page", async () => {
  house.clientSeedBy = "house";
  const rotations = [await house.rotate("a"), await house.rotate("b")];
  serve(house, [], async (_, url) => {
    if (url.pathname !== "/api/fairness/pairs") return null;
    const isSecond = url.searchParams.get("cursor") === "more";
    const [newest, oldest] = house.former;
    return new Response(JSON.stringify([isSecond ? oldest : newest]), {
      headers: isSecond ? {} : { "Next-Cursor": "more" },
    });
  });
  show(<PairsTab />);
  const list = await screen.findByRole("list", { name: "Former seed pairs, newest first" });
  expect(within(list).getByText(rotations[1]?.revealed.serverSeed ?? "")).toBeVisible();
  expect(within(list).queryByText("Client seed by the house")).toBeNull();
  fireEvent.click(button("Load more"));
  expect(await within(list).findByText(rotations[0]?.revealed.serverSeed ?? "")).toBeVisible();
  expect(within(list).getByText("Client seed by the house")).toBeVisible();
  await waitFor(() => expect(screen.queryByRole("button", { name: "Load more" })).toBeNull());
});

it("says that there are no former pairs", async () => {
  show(<PairsTab />);
  expect(await screen.findByText("No former pairs yet")).toBeVisible();
});
