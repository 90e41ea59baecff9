import { act, cleanup, render, screen } from "@testing-library/react";
import { SWRConfig } from "swr";
import { afterEach, expect, it, vi } from "vitest";
import { fetched } from "@/test-support/network";
import { SessionProvider, useSession } from "./session";
import { api } from "./client";
import type { CurrentUser } from "./types";

/** The other tabs of the browser hear what this one says, and the reverse. */
class Channel extends EventTarget {
  static last: Channel | null = null;
  readonly postMessage = vi.fn<(message: unknown) => void>();
  constructor() {
    super();
    Channel.last = this;
  }
  close() {
    Channel.last = null;
  }
}
vi.stubGlobal("BroadcastChannel", Channel);

const userOf = (id: number) => ({ id, username: `player ${id}`, balance: "1.00" }) as CurrentUser;
const answers = (id: number) =>
  fetched.mockImplementation(
    async () => new Response(JSON.stringify(userOf(id)), { headers: { "Content-Type": "application/json" } }),
  );
const hears = (id: number | null) =>
  act(async () => void Channel.last?.dispatchEvent(new MessageEvent("message", { data: id })));

function Shown() {
  const { user, end, isLoggedOut, setUser } = useSession();
  return (
    <>
      <p data-testid="user">{user === undefined ? "unknown" : (user?.username ?? "nobody")}</p>
      <p data-testid="end">{`${end?.title ?? "none"}, ${isLoggedOut ? "logged out" : "not logged out"}`}</p>
      <button type="button" onClick={() => void setUser(null)}>
        Log out
      </button>
    </>
  );
}
async function show() {
  answers(7);
  render(
    <SWRConfig value={{ provider: () => new Map(), dedupingInterval: 0 }}>
      <SessionProvider>
        <Shown />
      </SessionProvider>
    </SWRConfig>,
  );
  expect(await screen.findByText("player 7")).toBeVisible();
}

afterEach(cleanup);

it("follows the other tabs when they log out or in, because all share the cookie", async () => {
  await show();
  await hears(null);
  expect(screen.getByTestId("user")).toHaveTextContent("nobody");
  expect(screen.getByTestId("end")).toHaveTextContent("none, logged out");
  answers(8);
  await hears(8);
  expect(await screen.findByText("player 8")).toBeVisible();
});

it("tells the other tabs", async () => {
  await show();
  const said = Channel.last?.postMessage;
  await act(async () => screen.getByRole("button", { name: "Log out" }).click());
  expect(said?.mock.calls).toEqual([[null]]);
});

it("asks who is signed in when another password must be chosen first, and ends nothing", async () => {
  await show();
  fetched.mockImplementation(async ({ url }) =>
    url.endsWith("/api/user")
      ? Response.json({ ...userOf(7), username: "player 7, once more", mustChangePassword: true })
      : Response.json({ code: "password_change_required", message: "no" }, { status: 403 }),
  );
  await act(async () => expect(api.GET("/api/limits")).rejects.toThrow("no"));
  expect(await screen.findByText("player 7, once more")).toBeVisible();
  expect(screen.getByTestId("end")).toHaveTextContent("none, not logged out");
});
