import { cleanup, render } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { celebrate } from "@/lib/celebrate";
import { type EndedRound, useCelebration } from "./use-celebration";

vi.mock("@/lib/celebrate", () => ({ celebrate: vi.fn(), prepareCelebration: () => () => undefined }));

afterEach(() => {
  cleanup();
  vi.mocked(celebrate).mockClear();
});

function Result({ ended }: { ended: EndedRound | null }) {
  return <div ref={useCelebration(ended)}>{ended?.winAmount}</div>;
}
const won = (roundId: number): EndedRound => ({ roundId, stakedAmount: "2.50", winAmount: "7.25" });

it("celebrates a round once, from the element with its result", () => {
  const { container, rerender } = render(<Result ended={null} />);
  expect(celebrate).not.toHaveBeenCalled();
  rerender(<Result ended={won(1)} />);
  rerender(<Result ended={won(1)} />);
  expect(vi.mocked(celebrate).mock.calls).toEqual([
    [{ stakeCents: 250, payoutCents: 725, from: container.firstElementChild }],
  ]);
});

it("celebrates the next round, but not the last one again", () => {
  const { rerender } = render(<Result ended={won(1)} />);
  rerender(<Result ended={null} />);
  rerender(<Result ended={won(1)} />);
  rerender(<Result ended={won(2)} />);
  expect(celebrate).toHaveBeenCalledTimes(2);
});
