import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { FailedPayments } from "./failed-payments";

const failed = vi.hoisted(() => ({ count: 0 }));
vi.mock("../live/pending-work", () => ({ usePendingWork: () => ({ data: { failedPayouts: failed.count } }) }));

afterEach(cleanup);

it.each([
  [1, "1 payment has failed"],
  [3, "3 payments have failed"],
])("leads to %i failed payments", (count, text) => {
  failed.count = count;
  const show = vi.fn();
  render(<FailedPayments show={show} />);
  expect(screen.getByRole("status")).toHaveTextContent(text);
  fireEvent.click(screen.getByRole("button", { name: "Show failed" }));
  expect(show).toHaveBeenCalledOnce();
});

it("says nothing if there are none", () => {
  failed.count = 0;
  render(<FailedPayments show={vi.fn()} />);
  expect(screen.queryByText(/failed/)).toBeNull();
});
