import { cleanup, fireEvent, render, screen, within } from "@testing-library/react";
import { MemoryRouter } from "@/lib/address";
import { SWRConfig } from "swr";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { fetched } from "@/test-support/network";
import { publicLog, type PublicLog } from "@/test-support/public-log";
import { refused } from "@/test-support/serve";
import { witnessWith } from "@/test-support/trust";
import { TrustStore } from "@/lib/trust/store";
import { MemoryDatabase } from "@/lib/trust/tables";
import type { Overview } from "./api";
import { TransparencyView } from "./transparency-view";

let log: PublicLog;
let overview: Overview;

beforeEach(async () => {
  log = await publicLog();
  overview = await log.overview();
});

afterEach(cleanup);

const json = (body: unknown) => new Response(JSON.stringify(body));

async function answer(path: string, parameters: URLSearchParams): Promise<Response> {
  if (path === "/api/transparency") return json(overview);
  if (path === "/transparency/key") return new Response(await log.calls.fetchKeys());
  if (path === "/api/log/consistency")
    return json({
      path: await log.calls.fetchConsistency(Number(parameters.get("from")), Number(parameters.get("to"))),
    });
  return new Response(await log.calls.fetchLogFile(path.slice("/log/".length)));
}

function open(special: (path: string) => Response | null = () => null) {
  fetched.mockReset();
  fetched.mockImplementation(async (sent: Request | string) => {
    const { pathname, searchParams } = new URL(typeof sent === "string" ? `http://localhost${sent}` : sent.url);
    return special(pathname) ?? answer(pathname, searchParams);
  });
  render(
    <SWRConfig value={{ provider: () => new Map(), shouldRetryOnError: false, dedupingInterval: 0 }}>
      <MemoryRouter>
        <TransparencyView store={new TrustStore(0, new MemoryDatabase())} />
      </MemoryRouter>
    </SWRConfig>,
  );
}

const SIGNED = "The signature of the latest checkpoint is valid.";
const rows = () =>
  within(screen.getByRole("table", { name: /^The latest rounds/ }))
    .getAllByRole("row")
    .slice(1);

it("shows the returns, the verified log and the recomputed rounds", async () => {
  open();
  expect(screen.getByText("Loading")).toBeInTheDocument();
  expect(await screen.findByText(SIGNED)).toBeVisible();
  expect(screen.getByText("The latest entries are in the log that was signed.")).toBeVisible();
  expect(screen.getByText("Rounds played").nextElementSibling).toHaveTextContent("1,234");
  expect(screen.getByText("Entries in the public log").nextElementSibling).toHaveTextContent("13");
  expect(screen.getByText(/^12 rounds recomputed in your browser/)).toBeVisible();
  expect(rows()).toHaveLength(12);
  for (const row of rows()) expect(row).toHaveTextContent("recomputed");
  expect(screen.getByText(log.key)).toBeVisible();
  expect(screen.getByText(/^No witness signs this log/)).toBeVisible();
  // A game that is only announced and was never played is not listed.
  expect(screen.getByRole("heading", { name: "Dice" })).toBeVisible();
  expect(screen.queryByRole("heading", { name: "Mines" })).toBeNull();
  fireEvent.click(screen.getByRole("button", { name: "Show the figures" }));
  expect(screen.getByRole("row", { name: /^Dice 1,234 99.00% 99.00% 93.40% to 104.60%/ })).toBeVisible();
});

it("shows who else has signed the checkpoint", async () => {
  const [first, second, third] = [
    await witnessWith(7, "a.example"),
    await witnessWith(8, "b.example"),
    await witnessWith(9, "c.example"),
  ];
  overview = {
    ...overview,
    checkpoint: await first.cosign(overview.checkpoint, 1_795_290_535),
    witnesses: [first, second, third].map(({ name, key }, index) => ({
      name,
      verifierKey: key,
      cosignedSize: index === 2 ? null : 12,
      cosignedAt: index === 2 ? null : "2026-11-21T12:00:00Z",
    })),
  };
  open();
  expect(await screen.findByText(/^Signed the latest checkpoint on Nov 2\d, 2026/)).toBeVisible();
  expect(
    screen.getByText(/^Has not signed the latest checkpoint yet.* last signed 12 entries, on Nov 21/),
  ).toBeVisible();
  expect(screen.getByText("Has not signed this log so far.")).toBeVisible();
  for (const { name, key } of [first, second, third]) {
    expect(screen.getByText(`Key of ${name}`)).toBeVisible();
    expect(screen.getByText(key)).toBeVisible();
  }
  expect(screen.queryByText(/^No witness signs this log/)).toBeNull();
});

it("says that a log continues the one that was seen before", async () => {
  overview = await log.overview(7);
  open();
  expect(await screen.findByText(/which it sees for the first time/)).toBeVisible();
  overview = await log.overview();
  fireEvent.click(screen.getByRole("button", { name: "Check again" }));
  expect(await screen.findByText("It continues the log of 7 entries that you saw before.")).toBeVisible();
  expect(screen.getByText(/that it already knew/)).toBeVisible();
});

it("shows a house without rounds, and one whose log has not begun", async () => {
  overview = await log.overview(1);
  open();
  expect(await screen.findByText(SIGNED)).toBeVisible();
  expect(screen.getByText("No rounds yet")).toBeVisible();
  overview = { ...overview, origin: null, size: 0, checkpoint: "", latest: [] };
  fireEvent.click(screen.getByRole("button", { name: "Check again" }));
  expect(await screen.findByText("The log has not begun yet.")).toBeVisible();
});

it("offers to try again when the figures or the files cannot be loaded", async () => {
  let down = "/api/transparency";
  open((path) => (path.startsWith(down) ? refused(503, "busy", "Please wait a moment.") : null));
  expect(await screen.findByText("The public record could not be loaded")).toBeVisible();
  expect(screen.getByText("Please wait a moment.")).toBeVisible();
  down = "/log/";
  fireEvent.click(screen.getByRole("button", { name: "Try Again" }));
  expect(await screen.findByText("The public log could not be checked")).toBeVisible();
  expect(screen.getByText("The latest rounds could not be checked.")).toBeVisible();
  down = "nothing";
  fireEvent.click(screen.getByRole("button", { name: "Try Again" }));
  expect(await screen.findByText(SIGNED)).toBeVisible();
});

it("reports a forged checkpoint and an impossible round, with the evidence", async () => {
  const saved: Blob[] = [];
  vi.stubGlobal("URL", Object.assign(URL, { createObjectURL: (blob: Blob) => `blob:${saved.push(blob)}` }));
  Object.assign(URL, { revokeObjectURL: () => undefined });
  HTMLAnchorElement.prototype.click = vi.fn<() => void>();
  const [first, ...others] = overview.latest;
  if (!first) throw new Error("the log has entries");
  overview = {
    ...overview,
    checkpoint: overview.checkpoint.replace(/\n\d+\n/, "\n99\n"),
    latest: [{ ...first, entry: first.entry.replace(/"payout":\d+/, '"payout":7') }, ...others],
  };
  open();
  const alert = await screen.findByRole("alert");
  expect(alert).toHaveTextContent("The public record is not what the house signed.");
  expect(alert).toHaveTextContent(`Entry ${first.index} of the public record contradicts itself.`);
  expect(screen.queryByText(SIGNED)).toBeNull();
  expect(rows()[0]).toHaveTextContent("contradiction");
  fireEvent.click(within(alert).getByRole("button", { name: "Save evidence" }));
  await vi.waitFor(() => expect(saved).toHaveLength(1));
  expect(JSON.parse((await saved[0]?.text()) ?? "")).toMatchObject({
    format: "glasshouse evidence v1",
    keys: [log.key],
    failures: [{ kind: "log_invalid" }, { kind: "entry_mismatch" }],
  });
});
