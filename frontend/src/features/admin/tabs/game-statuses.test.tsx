import { cleanup, render, screen, within } from "@testing-library/react";
import { SWRConfig } from "swr";
import { afterEach, expect, it, vi } from "vitest";
import { GameStatusProvider } from "@/games/game-status";
import { fetchGameStatuses } from "@/games/status-api";
import { GameStatusPanel } from "./game-statuses";

vi.mock("@/games/status-api", async (original) => ({ ...(await original<object>()), fetchGameStatuses: vi.fn() }));
vi.mock("@/api/session", async (original) => ({ ...(await original<object>()), useUser: () => null }));
const fetched = vi.mocked(fetchGameStatuses);
const panel = (isShown: boolean) => (
  <SWRConfig value={{ provider: () => new Map(), revalidateOnFocus: false }}>
    <GameStatusProvider screen="/admin">{isShown && <GameStatusPanel />}</GameStatusProvider>
  </SWRConfig>
);

afterEach(() => {
  cleanup();
  vi.resetAllMocks();
});

it("shows what a colleague has changed since the panel was opened", async () => {
  fetched.mockResolvedValue([{ name: "dice", status: "open" }]);
  const { rerender } = render(panel(false));
  await vi.waitFor(() => expect(fetched).toHaveBeenCalled());
  fetched.mockResolvedValue([{ name: "dice", status: "paused" }]);
  rerender(panel(true));
  const dice = screen.getAllByRole("listitem").find((item) => item.textContent?.startsWith("Dice"));
  expect(await within(dice ?? document.body).findByText("Paused")).toBeInTheDocument();
});
