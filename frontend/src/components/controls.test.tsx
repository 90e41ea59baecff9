// The keyboard and the roles of the controls that are our own.

import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { useState } from "react";
import { afterEach, expect, it, vi } from "vitest";
import { Link } from "@/lib/address";
import { Checkbox } from "./checkbox";
import { DropdownMenu, DropdownMenuTrigger } from "./menu";
import { DropdownMenuContent, DropdownMenuItem, DropdownMenuSeparator } from "./menu-content";
import { SegmentedControl } from "./segmented-control";
import { Slider } from "./slider";
import { Switch } from "./switch";
import { Tabs, TabsContent, TabsList, TabsTrigger } from "./tabs";

afterEach(cleanup);

const press = (key: string) => fireEvent.keyDown(document.activeElement ?? document.body, { key });
const names = ["one", "two", "three"];

function Tabbed({ mode }: { mode: "automatic" | "manual" }) {
  const [value, setValue] = useState("one");
  return (
    <Tabs value={value} onValueChange={setValue} activationMode={mode}>
      <TabsList>
        {names.map((name) => (
          <TabsTrigger key={name} value={name}>
            {name}
          </TabsTrigger>
        ))}
      </TabsList>
      <TabsContent value="one">first</TabsContent>
      <TabsContent value="two" forceMount>
        second
      </TabsContent>
      <TabsContent value="three">third</TabsContent>
    </Tabs>
  );
}
const selectedTab = () => screen.getByRole("tab", { selected: true });

it("tabs are opened by the arrow keys, Home and End, and are one stop of the Tab key", () => {
  render(<Tabbed mode="automatic" />);
  expect(screen.getByText("second")).toHaveAttribute("data-state", "inactive");
  expect(screen.queryByText("third")).toBeNull();
  selectedTab().focus();
  for (const [key, name] of [
    ["ArrowRight", "two"],
    ["End", "three"],
    ["ArrowRight", "one"],
    ["ArrowLeft", "three"],
    ["Home", "one"],
  ] as const) {
    press(key);
    expect(selectedTab()).toHaveTextContent(name);
    expect(selectedTab()).toHaveFocus();
  }
  expect(screen.getAllByRole("tab").map(({ tabIndex }) => tabIndex)).toEqual([0, -1, -1]);
  expect(screen.getByText("first")).toHaveAttribute("aria-labelledby", selectedTab().id);
});

it("tabs that load something are opened by a click only", () => {
  render(<Tabbed mode="manual" />);
  selectedTab().focus();
  press("ArrowRight");
  expect(screen.getByRole("tab", { name: "two" })).toHaveFocus();
  expect(selectedTab()).toHaveTextContent("one");
  fireEvent.click(screen.getByRole("tab", { name: "two" }));
  expect(selectedTab()).toHaveTextContent("two");
});

it("options side by side are radios, which the arrow keys select unless they are locked", () => {
  const choose = vi.fn<(value: string) => void>();
  const options = names.map((value) => ({ value, label: value }));
  const control = (isLocked: boolean) => (
    <SegmentedControl label="Side" value="one" onValueChange={choose} options={options} isLocked={isLocked} />
  );
  const { rerender } = render(control(false));
  screen.getByRole("radio", { checked: true }).focus();
  press("ArrowLeft");
  expect(choose).toHaveBeenLastCalledWith("three");
  fireEvent.click(screen.getByRole("radio", { name: "one" }));
  expect(choose).toHaveBeenCalledTimes(1);
  rerender(control(true));
  fireEvent.click(screen.getByRole("radio", { name: "two" }));
  expect(choose).toHaveBeenCalledTimes(1);
  expect(screen.getByRole("radio", { name: "two" })).toHaveAttribute("aria-disabled", "true");
});

it("a slider reports its value and does nothing while it is locked", () => {
  const change = vi.fn<(value: number) => void>();
  const slider = (isLocked: boolean) => (
    <Slider label="Target" value={50} min={1} max={98} onValueChange={change} isLocked={isLocked} />
  );
  const { rerender } = render(slider(false));
  const input = screen.getByRole("slider", { name: "Target" });
  fireEvent.change(input, { target: { value: "60" } });
  expect(change).toHaveBeenCalledExactlyOnceWith(60);
  rerender(slider(true));
  fireEvent.change(input, { target: { value: "70" } });
  expect(change).toHaveBeenCalledTimes(1);
  expect(input).toHaveValue("50");
  expect(input).toHaveAttribute("aria-disabled", "true");
});

it("a switch and a checkbox are named and change unless they are locked", () => {
  const change = vi.fn<(value: boolean) => void>();
  const { rerender } = render(<Switch label="Max Bet" checked={false} onCheckedChange={change} />);
  fireEvent.click(screen.getByRole("switch", { name: "Max Bet", checked: false }));
  expect(change).toHaveBeenLastCalledWith(true);
  rerender(<Switch label="Max Bet" checked isLocked onCheckedChange={change} />);
  fireEvent.click(screen.getByRole("switch", { name: "Max Bet", checked: true }));
  expect(change).toHaveBeenCalledTimes(1);
  rerender(
    <Checkbox checked onCheckedChange={change} error="Required">
      I am of age
    </Checkbox>,
  );
  const checkbox = screen.getByRole("checkbox", { name: "I am of age", checked: true });
  expect(checkbox).toHaveAccessibleDescription("Required");
  fireEvent.click(checkbox);
  expect(change).toHaveBeenLastCalledWith(false);
});

function Account({ onSelect }: { onSelect(): void }) {
  return (
    <>
      <DropdownMenu>
        <DropdownMenuTrigger>Account</DropdownMenuTrigger>
        <DropdownMenuContent align="end">
          <DropdownMenuItem asChild>
            <Link to="/dashboard">Dashboard</Link>
          </DropdownMenuItem>
          <DropdownMenuSeparator />
          <DropdownMenuItem onSelect={onSelect}>Log out</DropdownMenuItem>
        </DropdownMenuContent>
      </DropdownMenu>
      <button>Elsewhere</button>
    </>
  );
}

it("a menu is opened and used by the keyboard, and gives the focus back", () => {
  const select = vi.fn<() => void>();
  render(<Account onSelect={select} />);
  const trigger = screen.getByRole("button", { name: "Account" });
  expect(trigger).toHaveAttribute("aria-expanded", "false");
  trigger.focus();
  press("ArrowDown");
  expect(screen.getByRole("menu", { name: "Account" })).toBeVisible();
  expect(screen.getByRole("menuitem", { name: "Dashboard" })).toHaveFocus();
  press("l");
  expect(screen.getByRole("menuitem", { name: "Log out" })).toHaveFocus();
  press("ArrowDown");
  expect(screen.getByRole("menuitem", { name: "Dashboard" })).toHaveFocus();
  press("Escape");
  expect(screen.queryByRole("menu")).toBeNull();
  expect(trigger).toHaveFocus();
  fireEvent.click(trigger, { detail: 1 });
  expect(screen.getByRole("menu")).toHaveFocus();
  fireEvent.click(screen.getByRole("menuitem", { name: "Log out" }));
  expect(select).toHaveBeenCalledTimes(1);
  expect(screen.queryByRole("menu")).toBeNull();
});

it("a menu closes when its link is opened or something else is used", () => {
  render(<Account onSelect={vi.fn()} />);
  const trigger = screen.getByRole("button", { name: "Account" });
  fireEvent.click(trigger, { detail: 1 });
  fireEvent.click(screen.getByRole("menuitem", { name: "Dashboard" }));
  expect(window.location.pathname).toBe("/dashboard");
  expect(screen.queryByRole("menu")).toBeNull();
  fireEvent.click(trigger, { detail: 1 });
  fireEvent.pointerDown(screen.getByText("Elsewhere"));
  expect(screen.queryByRole("menu")).toBeNull();
});
