import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { MainButton } from "@/components/main-button";
import { useHotkeys } from "@/lib/hotkeys";
import { GameFrame } from "./game-frame";

const [bet, cashOut] = [vi.fn<() => void>(), vi.fn<() => void>()];

function Game() {
  useHotkeys([{ key: "c", label: "Cash out", run: cashOut }]);
  return (
    <GameFrame
      table={
        <MainButton isOff={false} onClick={bet}>
          Bet
        </MainButton>
      }
      history={<p>Rounds</p>}
      below={null}
      onOpenFairness={() => undefined}
    />
  );
}
const press = (key: string) => fireEvent.keyDown(document.body, { key });

afterEach(cleanup);

it("lets no key act on the bet panel while the history is shown, except those of the whole game", () => {
  render(<Game />);
  press(" ");
  expect(bet).toHaveBeenCalledTimes(1);
  fireEvent.click(screen.getByRole("tab", { name: "History" }));
  expect(screen.getByText("Rounds")).toBeVisible();
  press(" ");
  expect(bet).toHaveBeenCalledTimes(1);
  press("c");
  expect(cashOut).toHaveBeenCalledTimes(1);
  fireEvent.click(screen.getByRole("tab", { name: "Place Bet" }));
  press(" ");
  expect(bet).toHaveBeenCalledTimes(2);
});
