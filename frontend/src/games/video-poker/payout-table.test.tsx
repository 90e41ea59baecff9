import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { PayoutTable } from "./payout-table";

afterEach(cleanup);
const row = (name: RegExp) => screen.getByRole("row", { name }).textContent;

it("shows the multipliers alone without a bet", () => {
  render(<PayoutTable />);
  expect(screen.getAllByRole("columnheader").map(({ textContent }) => textContent)).toEqual(["Hand", "Payout"]);
  expect(row(/^ROYAL FLUSH/)).toBe("ROYAL FLUSH800x250x below the maximum bet");
  expect(row(/^HIGH CARD/)).toBe("HIGH CARD0x");
});

it("shows what each hand pays for a bet", () => {
  const { rerender } = render(<PayoutTable betCents={300} />);
  expect(screen.getAllByRole("columnheader").at(-1)).toHaveTextContent("For $3.00");
  expect(row(/^FULL HOUSE/)).toBe("FULL HOUSE8x$24.00");
  expect(row(/^ROYAL FLUSH/)).toBe("ROYAL FLUSH250x800x at Max Bet$750.00");
  rerender(<PayoutTable betCents={1000} />);
  expect(row(/^ROYAL FLUSH/)).toBe("ROYAL FLUSH800x$8,000.00");
});

it("marks the current hand, and says at the end whether it has won", () => {
  const { container, rerender } = render(<PayoutTable betCents={100} current="FLUSH" />);
  const current = () => [...container.querySelectorAll("[aria-current=true]")].map(({ textContent }) => textContent);
  expect(current()).toEqual(["FLUSH5x$5.00"]);
  rerender(<PayoutTable betCents={100} current="FLUSH" isWon />);
  expect(current()).toEqual(["FLUSH, won5x$5.00"]);
});
