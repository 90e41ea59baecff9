import { render } from "@testing-library/react";
import { createElement, useLayoutEffect } from "react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { addHotkeys, onHotkey, switchHotkeys, useHotkeys } from "./hotkeys";

let removes: (() => void)[] = [];
const main = vi.fn<() => void>();
const cashOut = vi.fn<() => void>();

beforeEach(() => {
  document.body.innerHTML = `<input id="field"><input id="locked" readonly><button>B</button><p>Text</p>`;
  document.addEventListener("keydown", onHotkey);
  removes = [
    () => document.removeEventListener("keydown", onHotkey),
    addHotkeys([
      { key: " ", label: "Main", run: main },
      { key: "c", label: "Cash out", worksInLockedField: true, run: cashOut },
    ]),
  ];
});
afterEach(() => {
  for (const remove of removes) remove();
  switchHotkeys(true);
  vi.clearAllMocks();
});

/** Presses a key on an element; returns whether a hotkey took it. */
function press(selector: string, key: string, how: KeyboardEventInit = {}): boolean {
  const event = new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...how });
  document.querySelector(selector)?.dispatchEvent(event);
  return event.defaultPrevented;
}

it("acts on a plain key anywhere on the page, also in upper case", () => {
  expect(press("p", " ")).toBe(true);
  expect(press("p", "C")).toBe(true);
  expect(main).toHaveBeenCalledOnce();
  expect(cashOut).toHaveBeenCalledOnce();
});

it.each([{ ctrlKey: true }, { metaKey: true }, { altKey: true }, { shiftKey: true }, { repeat: true }])(
  "ignores %j",
  (how) => {
    expect(press("p", "c", how)).toBe(false);
    expect(cashOut).not.toHaveBeenCalled();
  },
);

it("neither acts nor scrolls while Space is held", () => {
  expect(press("p", " ", { repeat: true })).toBe(true);
  expect(press("button", " ", { repeat: true })).toBe(false);
  expect(main).not.toHaveBeenCalled();
});

it("leaves a text field its keys, except that a locked field lets the cash-out through", () => {
  press("#field", "c");
  press("#field", " ");
  press("#locked", " ");
  expect(main).not.toHaveBeenCalled();
  expect(cashOut).not.toHaveBeenCalled();
  press("#locked", "c");
  expect(cashOut).toHaveBeenCalledOnce();
});

it("leaves Space to a focused button", () => {
  expect(press("button", " ")).toBe(false);
  expect(press("button", "c")).toBe(true);
  expect(main).not.toHaveBeenCalled();
});

it("does nothing behind a dialog, or while hotkeys are off", () => {
  const dialog = document.createElement("div");
  dialog.setAttribute("role", "dialog");
  document.body.append(dialog);
  press("p", "c");
  dialog.remove();
  switchHotkeys(false);
  press("p", "c");
  expect(cashOut).not.toHaveBeenCalled();
  switchHotkeys(true);
  press("p", "c");
  expect(cashOut).toHaveBeenCalledOnce();
});

it("lets the newest of several hotkeys act, and the older one again afterwards", () => {
  const other = vi.fn<() => boolean>(() => false);
  const remove = addHotkeys([{ key: "c", label: "Other", run: other }]);
  expect(press("p", "c")).toBe(false);
  expect(other).toHaveBeenCalledOnce();
  remove();
  press("p", "c");
  expect(cashOut).toHaveBeenCalledOnce();
});

it("opens the list with a question mark that needs Shift", () => {
  const list = vi.fn<() => void>();
  const remove = addHotkeys([{ key: "?", label: "List", run: list }]);
  press("p", "?", { shiftKey: true });
  remove();
  expect(list).toHaveBeenCalledOnce();
});

it("acts on two keys that follow each other, and on the second one alone otherwise", () => {
  const go = vi.fn<() => void>();
  removes.push(addHotkeys([{ key: "g c", label: "Go", run: go }]));
  press("p", "g");
  expect(press("p", "c")).toBe(true);
  expect(go).toHaveBeenCalledOnce();
  expect(cashOut).not.toHaveBeenCalled();
  press("p", "c");
  expect(cashOut).toHaveBeenCalledOnce();
  // Another key ends it, and so does a field.
  press("p", "g");
  press("p", "x");
  press("p", "c");
  press("#field", "g");
  press("p", "c");
  expect(go).toHaveBeenCalledOnce();
  expect(cashOut).toHaveBeenCalledTimes(3);
});

it("acts on a key that is pressed as soon as its button is in the page, and with what was shown last", () => {
  const acted: string[] = [];
  function Halve({ bet }: { bet: string }) {
    useHotkeys([{ key: "a", label: "Halve", run: () => void acted.push(bet) }]);
    return createElement("output", null, bet);
  }
  /** Runs before the browser paints what was added to the page. */
  function Player({ bet }: { bet: string }) {
    useLayoutEffect(() => {
      press("output", "a");
    });
    return createElement(Halve, { bet });
  }
  const page = render(createElement(Player, { bet: "10.00" }));
  page.rerender(createElement(Player, { bet: "5.00" }));
  page.unmount();
  expect(acted).toEqual(["10.00", "5.00"]);
});
