import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { deferred } from "@/test-support/deferred";
import { useHotkeys } from "@/lib/hotkeys";
import { AppDialogsProvider } from "./dialogs";

type Loaded = { default(props: { open: object | null; onChange(open: null): void }): React.ReactNode };
const code = vi.hoisted(() => ({ isLoaded: null as Promise<object> | null }));
vi.mock("./open-dialog", async () => (await code.isLoaded) ?? {});
const session = vi.hoisted(() => ({ user: { id: 7 } as object | null }));
vi.mock("@/api/session", () => ({ useUser: () => session.user }));

const repeat = vi.fn<() => void>();
function Game() {
  useHotkeys([{ key: "d", label: "Repeat the last bet", run: repeat }]);
  return null;
}
const Page = () => (
  <AppDialogsProvider>
    <Game />
  </AppDialogsProvider>
);
const press = (key: string, ctrlKey = false) => fireEvent.keyDown(document.body, { key, ctrlKey });

afterEach(cleanup);

it("keeps the keys from the game from the moment a dialog is asked for until it is closed", async () => {
  const loading = deferred<Loaded>();
  code.isLoaded = loading.promise;
  const page = render(<Page />);
  press("k", true);
  press("d");
  expect(repeat).not.toHaveBeenCalled();
  loading.resolve({
    default: ({ open, onChange }) =>
      open && (
        <button type="button" onClick={() => onChange(null)}>
          Close
        </button>
      ),
  });
  const close = await screen.findByRole("button", { name: "Close" });
  press("d");
  expect(repeat).not.toHaveBeenCalled();
  act(() => close.click());
  press("d");
  expect(repeat).toHaveBeenCalledOnce();

  // What it offers is the player's own, so that logging out closes it.
  press("k", true);
  expect(await screen.findByRole("button", { name: "Close" })).toBeVisible();
  session.user = null;
  page.rerender(<Page />);
  expect(screen.queryByRole("button", { name: "Close" })).toBeNull();
});
