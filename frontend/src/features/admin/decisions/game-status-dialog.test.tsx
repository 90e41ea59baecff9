import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { toast } from "@/components";
import type { GameStatus } from "@/games/definition";
import { GAMES } from "@/games/registry";
import { setGameStatus } from "../api/game-status";
import { GameStatusDialog } from "./game-status-dialog";

vi.mock("../api/game-status", () => ({ setGameStatus: vi.fn() }));
vi.mock("@/components", async (original) => ({ ...(await original<object>()), toast: vi.fn() }));
const set = vi.mocked(setGameStatus);
const [onDone, onCancel, onConflict, onUnsure] = [vi.fn(), vi.fn(), vi.fn(), vi.fn()];
const game = GAMES.find(({ wire }) => wire.name === "mines");

function setup(status: GameStatus) {
  if (!game) throw new Error("there is no such game");
  render(
    <GameStatusDialog
      game={game}
      status={status}
      onDone={onDone}
      onCancel={onCancel}
      onConflict={onConflict}
      onUnsure={onUnsure}
    />,
  );
}
const wait = () => act(async () => void (await vi.advanceTimersByTimeAsync(1000)));
const press = async (name: string) => {
  fireEvent.click(screen.getByRole("button", { name }));
  await wait();
};

beforeEach(() => {
  vi.useFakeTimers();
  // Without a fine pointer a dialog opens without focusing a field.
  vi.stubGlobal("matchMedia", () => ({ matches: true }));
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.resetAllMocks();
});

it("requires a reason and sends it with the status", async () => {
  setup("announced");
  await wait();
  await press("Set to Open");
  expect(toast).toHaveBeenLastCalledWith({
    title: "Error",
    description: "Please provide a reason for the change",
    variant: "destructive",
  });
  expect(screen.getByLabelText("Reason")).toHaveAttribute("aria-invalid", "true");
  expect(set).not.toHaveBeenCalled();
  fireEvent.change(screen.getByLabelText("Reason"), { target: { value: "  Ready to be played " } });
  await press("Set to Open");
  expect(set).toHaveBeenCalledExactlyOnceWith(
    "mines",
    { status: "open", reason: "Ready to be played" },
    expect.any(String),
  );
  expect(toast).toHaveBeenLastCalledWith({ title: "Success", description: "The status of Mines is now Open" });
  expect(onDone).toHaveBeenCalledOnce();
});

it("offers to pause an open game, and explains each status", async () => {
  setup("open");
  await wait();
  expect(screen.getByText(/no round can be started\. Rounds in play can be finished/)).toBeVisible();
  fireEvent.change(screen.getByLabelText("Reason"), { target: { value: "Maintenance" } });
  await press("Set to Paused");
  expect(set).toHaveBeenCalledExactlyOnceWith("mines", { status: "paused", reason: "Maintenance" }, expect.any(String));
});
