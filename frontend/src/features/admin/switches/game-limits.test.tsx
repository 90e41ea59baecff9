import { act, cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { SWRConfig } from "swr";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { fetchLimitedGames, type LimitedGame, setGameLimits } from "./api";
import { GameLimitsPanel } from "./game-limits";

const session = vi.hoisted(() => ({ permissions: [] as string[] }));
vi.mock("./api", () => ({ fetchLimitedGames: vi.fn(), setGameLimits: vi.fn() }));
vi.mock("@/api/session", () => ({ useUser: () => session }));
vi.mock("@/components", async (original) => ({ ...(await original<object>()), toast: vi.fn() }));
const [fetched, set] = [vi.mocked(fetchLimitedGames), vi.mocked(setGameLimits)];

const unlimited = (name: string, exposure: string | null): LimitedGame => ({
  name,
  minimumStake: "1.00",
  rulesMaximumStake: "1000.00",
  maximumStake: null,
  maximumProfit: null,
  maximumExposure: null,
  exposure,
});
const GAMES = [
  unlimited("dice", null),
  { ...unlimited("crash", "1250.00"), maximumStake: "500.00", maximumExposure: "100000.00" },
  unlimited("baccarat", "0.00"),
];

async function open(games: readonly LimitedGame[] = GAMES) {
  fetched.mockResolvedValue([...games]);
  render(
    <SWRConfig value={{ provider: () => new Map() }}>
      <GameLimitsPanel />
    </SWRConfig>,
  );
  await screen.findByRole("list", { name: "Limits" });
}
const entries = () => screen.getAllByRole("listitem").map(({ textContent }) => textContent);
const type = (label: string, value: string) => fireEvent.change(screen.getByLabelText(label), { target: { value } });
async function press(name: string) {
  await waitFor(() => expect(screen.getByRole("button", { name })).toBeEnabled());
  await act(async () => void fireEvent.click(screen.getByRole("button", { name })));
}

beforeEach(() => {
  vi.stubGlobal("matchMedia", () => ({ matches: true }));
  session.permissions = ["change_games"];
  set.mockResolvedValue([]);
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.resetAllMocks();
});

it("shows what the rules and the owners allow, and what the rounds in play can win", async () => {
  await open();
  expect(entries()).toEqual([
    expect.stringMatching(/^Dice.*Largest stake\$1,000\.00by the rules.*Most won by a roundNo limit/),
    expect.stringMatching(/^Crash.*\$500\.00the rules allow \$1,000\.00.*\$100,000\.00now up to \$1,250\.00/),
  ]);
  expect(entries()[0]).not.toContain("in play");
});

it("sends amounts as they are understood, and nothing for an empty field", async () => {
  await open();
  await press("Change the limits of Crash");
  expect(screen.getByLabelText("Largest stake ($)")).toHaveProperty("value", "500.00");
  type("Largest stake ($)", "");
  type("Most won by a round ($)", "20000");
  type("Most won by all rounds in play ($)", "1000.5");
  type("Reason", " a small bankroll ");
  await press("Set Limits");
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(set).toHaveBeenCalledWith(
    "crash",
    { maximumStake: null, maximumProfit: "20000.00", maximumExposure: "1000.50", reason: "a small bankroll" },
    expect.any(String),
  );
});

it.each([
  ["Largest stake ($)", "0.99", "Please enter an amount from $1.00 to $1,000.00, or nothing"],
  ["Largest stake ($)", "1000.01", "Please enter an amount from $1.00 to $1,000.00, or nothing"],
  ["Most won by a round ($)", "0", "Please enter an amount above $0.00, or nothing for no limit"],
  ["Most won by all rounds in play ($)", "1e3", "Please enter an amount above $0.00, or nothing for no limit"],
])("refuses %s of %s beside the field", async (label, text, message) => {
  await open();
  await press("Change the limits of Crash");
  type(label, text);
  type("Reason", "x");
  await press("Set Limits");
  expect(screen.getByText(message)).toBeDefined();
  expect(set).not.toHaveBeenCalled();
});

it("has no exposure for a game without rounds in play, and no button for whoever may not change it", async () => {
  await open();
  await press("Change the limits of Dice");
  expect(screen.queryByLabelText("Most won by all rounds in play ($)")).toBeNull();
  cleanup();
  session.permissions = [];
  await open();
  expect(screen.queryByRole("button", { name: /^Change/ })).toBeNull();
});
