import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { useState } from "react";
import { afterEach, expect, it, vi } from "vitest";
import { type Command, CommandDialog } from "./command-dialog";

afterEach(cleanup);

// jsdom has no layout.
Element.prototype.scrollIntoView = () => undefined;

const command = (label: string, run = vi.fn()): Command => ({ id: label, label, run });

function Page({ commands }: { commands: readonly Command[] }) {
  const [isOpen, setOpen] = useState(false);
  const [query, setQuery] = useState("");
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        Open
      </button>
      {isOpen && (
        <CommandDialog
          title="Search"
          placeholder="Games"
          query={query}
          onQueryChange={setQuery}
          groups={[{ name: "Results", commands: commands.filter(({ label }) => label.startsWith(query)) }]}
          nothingFound={`Nothing found for “${query}”`}
          onClose={() => setOpen(false)}
          onChoose={() => undefined}
        />
      )}
    </>
  );
}

function open(commands: readonly Command[]): HTMLElement {
  render(<Page commands={commands} />);
  const opener = screen.getByRole("button", { name: "Open" });
  opener.focus();
  fireEvent.click(opener);
  return screen.getByRole("combobox", { name: "Search" });
}
const selected = () => screen.getByRole("option", { selected: true }).textContent;

it("selects with the arrow keys, starting again at either end", () => {
  const field = open(["Dice", "Crash", "Mines"].map((label) => command(label)));
  expect(document.activeElement).toBe(field);
  expect(selected()).toBe("Dice");
  fireEvent.keyDown(field, { key: "ArrowUp" });
  expect(selected()).toBe("Mines");
  fireEvent.keyDown(field, { key: "ArrowDown" });
  fireEvent.keyDown(field, { key: "ArrowDown" });
  expect(selected()).toBe("Crash");
  expect(field.getAttribute("aria-activedescendant")).toBe(screen.getByRole("option", { selected: true }).id);
});

it("selects the first result again when the query changes", () => {
  const field = open(["Dice", "Crash", "Coming Soon"].map((label) => command(label)));
  fireEvent.keyDown(field, { key: "ArrowDown" });
  fireEvent.change(field, { target: { value: "C" } });
  expect(selected()).toBe("Crash");
  expect(screen.getByRole("status")).toHaveTextContent("2 results");
});

it("runs the chosen command after the focus is back where it was", async () => {
  const run = vi.fn(() => expect(document.activeElement).toBe(screen.getByRole("button", { name: "Open" })));
  const field = open([command("Dice"), command("Crash", run)]);
  fireEvent.keyDown(field, { key: "ArrowDown" });
  fireEvent.keyDown(field, { key: "Enter" });
  await waitFor(() => expect(run).toHaveBeenCalledTimes(1));
  expect(screen.queryByRole("dialog")).toBeNull();
});

it("keeps the focus if it is opened again before the former one has returned it", async () => {
  const field = open([command("Dice"), command("Crash")]);
  fireEvent.keyDown(field, { key: "Escape" });
  expect(screen.queryByRole("dialog")).toBeNull();
  fireEvent.click(screen.getByRole("button", { name: "Open" }));
  const again = screen.getByRole("combobox", { name: "Search" });
  expect(document.activeElement).toBe(again);
  // Longer than the former dialog waits.
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(document.activeElement).toBe(again);
});

it("says so when nothing is found, and then Enter does nothing", () => {
  const dice = command("Dice");
  const field = open([dice]);
  fireEvent.change(field, { target: { value: "x" } });
  expect(screen.getByText(/Nothing found for “x”/)).toBeInTheDocument();
  expect(field).toHaveAttribute("aria-expanded", "false");
  fireEvent.keyDown(field, { key: "Enter" });
  fireEvent.keyDown(field, { key: "ArrowDown" });
  expect(screen.getByRole("dialog")).toBeInTheDocument();
  expect(dice.run).not.toHaveBeenCalled();
});
