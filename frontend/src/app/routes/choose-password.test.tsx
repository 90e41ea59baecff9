import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { SWRConfig } from "swr";
import { afterEach, expect, it } from "vitest";
import { fetched } from "@/test-support/network";
import { SessionProvider, useSession } from "@/api/session";
import { MemoryRouter } from "@/lib/address";
import ChoosePasswordPage from "./choose-password";

afterEach(() => {
  cleanup();
  fetched.mockReset();
});

/** What the application decides by. */
function Shown() {
  const { user } = useSession();
  return user?.mustChangePassword ? <ChoosePasswordPage /> : <p>{user?.username ?? "nobody"} goes on</p>;
}

it("goes on once the password is changed, even if the user cannot be fetched again", async () => {
  let fetches = 0;
  fetched.mockImplementation(async ({ url }) => {
    if (url.endsWith("/api/account/password")) return new Response(null, { status: 204 });
    fetches += 1;
    return fetches === 1
      ? Response.json({ id: 7, username: "lena", balance: "1.00", mustChangePassword: true })
      : Response.json({ code: "database_unavailable", message: "Not available." }, { status: 503 });
  });
  render(
    <MemoryRouter initialEntries={["/dice"]}>
      <SWRConfig value={{ provider: () => new Map(), dedupingInterval: 0, shouldRetryOnError: false }}>
        <SessionProvider>
          <Shown />
        </SessionProvider>
      </SWRConfig>
    </MemoryRouter>,
  );
  fireEvent.change(await screen.findByLabelText("One-time password"), { target: { value: "from-the-operator" } });
  fireEvent.change(screen.getByLabelText("New password"), { target: { value: "tr4vel-lamp" } });
  await act(async () => void fireEvent.click(screen.getByRole("button", { name: "Change password" })));
  expect(await screen.findByText("lena goes on")).toBeVisible();
  expect(fetches).toBe(2);
});
