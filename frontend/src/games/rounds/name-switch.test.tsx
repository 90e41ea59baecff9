import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { fetched } from "@/test-support/network";
import { toast } from "@/components/toast-store";
import { NameSwitch } from "./name-switch";

const session = vi.hoisted(() => ({
  user: { username: "lena", showsName: false },
  refresh: vi.fn(async () => undefined),
}));
vi.mock("@/api/session", () => ({ useSession: () => session }));
vi.mock("@/components/toast-store", () => ({ toast: vi.fn() }));

const shown = () => screen.getByRole("switch", { name: "Show my name in All bets and High wins" });

beforeEach(() => {
  session.user = { username: "lena", showsName: false };
  fetched.mockReset();
});
afterEach(cleanup);

it("is off until the player decides, and says what others see", () => {
  render(<NameSwitch />);
  expect(shown()).not.toBeChecked();
  expect(screen.getByText(/^Everybody sees/)).toHaveTextContent(
    "Everybody sees Hidden next to your bets, also earlier ones. The bet, its result and its profit are shown either way.",
  );
});

it("stores the decision, and shows what the server says afterwards", async () => {
  const sent: unknown[] = [];
  fetched.mockImplementation(async (request) => {
    sent.push([request.method, new URL(request.url).pathname, await request.json()]);
    session.user = { username: "lena", showsName: true };
    return Response.json(session.user);
  });
  render(<NameSwitch />);
  fireEvent.click(shown());
  await vi.waitFor(() => expect(session.refresh).toHaveBeenCalledTimes(1));
  expect(sent).toEqual([["PUT", "/api/user/name-visibility", { showsName: true }]]);
  await vi.waitFor(() => expect(shown()).not.toHaveAttribute("aria-disabled"));
  expect(shown()).toBeChecked();
  expect(screen.getByText(/^Everybody sees/)).toHaveTextContent("Everybody sees lena next to your bets");
});

it("goes back and says so if it could not be stored", async () => {
  fetched.mockImplementation(async () => new Response("", { status: 500 }));
  render(<NameSwitch />);
  fireEvent.click(shown());
  await vi.waitFor(() => expect(vi.mocked(toast)).toHaveBeenCalledTimes(1));
  expect(shown()).not.toBeChecked();
});
