import { beforeEach, expect, it } from "vitest";
import { refusal } from "@/test-support/fair-house";
import { publicLog, type PublicLog } from "@/test-support/public-log";
import { witnessWith } from "@/test-support/trust";
import { TrustStore } from "@/lib/trust/store";
import { MemoryDatabase } from "@/lib/trust/tables";
import type { Overview } from "./api";
import { checkLog } from "./check-log";

let log: PublicLog;
let store: TrustStore;

beforeEach(async () => {
  log = await publicLog();
  store = new TrustStore(0, new MemoryDatabase());
});

const check = (overview: Overview, calls: Partial<PublicLog["calls"]> = {}) =>
  checkLog(overview, store, { ...log.calls, ...calls });
const kindsOf = ({ failures }: Awaited<ReturnType<typeof check>>) => failures.map(({ kind }) => kind);

it("verifies the signature, the growth and the latest entries of the log", async () => {
  const first = await check(await log.overview(4));
  expect(first).toMatchObject({ isFirstVisit: true, sizeBefore: null, failures: [], signed: { signers: [log.key] } });
  const second = await check(await log.overview());
  expect(second).toMatchObject({ isFirstVisit: false, sizeBefore: 4, failures: [] });
  // A server that is a moment behind is no contradiction.
  expect(await check(await log.overview(4))).toMatchObject({ sizeBefore: log.lines.length, failures: [] });
});

it.each<[string, (overview: Overview) => Overview]>([
  ["a forged size", (overview) => ({ ...overview, checkpoint: overview.checkpoint.replace(/\n\d+\n/, "\n99\n") })],
  [
    "a forged signature",
    ({ checkpoint, ...rest }) => ({ ...rest, checkpoint: checkpoint.replace(/.{8}\n$/, "AAAAAAA=\n") }),
  ],
  ["no signature", ({ checkpoint, ...rest }) => ({ ...rest, checkpoint: checkpoint.split("\n\n", 1)[0] ?? "" })],
  ["another size beside it", (overview) => ({ ...overview, size: overview.size - 1 })],
  ["another log beside it", (overview) => ({ ...overview, origin: "play.example/another" })],
  [
    "changed entries",
    ({ latest, ...rest }) => ({
      ...rest,
      latest: latest.map(({ entry, ...line }) => ({ ...line, entry: entry.replace(/"stake":\d/, '"stake":9') })),
    }),
  ],
  ["entries in another order", ({ latest, ...rest }) => ({ ...rest, latest: latest.toReversed() })],
  ["a missing entry", ({ latest, ...rest }) => ({ ...rest, latest: latest.slice(1) })],
])("reports %s", async (_, change) => {
  expect(kindsOf(await check(change(await log.overview())))).toEqual(["log_invalid"]);
});

it("reports a checkpoint that is signed by a key that the house does not publish", async () => {
  const other = await publicLog(log.lines, 2);
  expect(kindsOf(await check(await other.overview()))).toEqual(["log_invalid"]);
  expect(kindsOf(await check(await log.overview(), { fetchKeys: () => Promise.resolve("") }))).toEqual([]);
});

it("reports another key, and a log that does not continue the known one", async () => {
  await check(await log.overview(4));
  const other = await publicLog(log.lines, 2);
  expect(kindsOf(await check(await other.overview(), other.calls))).toEqual(["key_changed"]);
  const fork = await publicLog(["changed", ...log.lines.slice(1)]);
  expect(kindsOf(await check(await fork.overview(), fork.calls))).toEqual(["log_forked"]);
});

const fetchConsistency = () => Promise.resolve([]);

it("reports a growth that is not proved", async () => {
  await check(await log.overview(4));
  expect(kindsOf(await check(await log.overview(), { fetchConsistency }))).toEqual(["log_forked"]);
});

it("tells which witnesses have signed the checkpoint, and reports a signature that does not match", async () => {
  const [one, other] = [await witnessWith(8, "one.example"), await witnessWith(9, "other.example")];
  const witnesses = [one, other].map(({ name, key }) => ({
    name,
    verifierKey: key,
    cosignedSize: null,
    cosignedAt: null,
  }));
  const overview = { ...(await log.overview()), witnesses };
  const cosigned = { ...overview, checkpoint: await one.cosign(overview.checkpoint, 1_795_290_535) };
  const found = await check(cosigned);
  expect(found.failures).toEqual([]);
  expect(found.witnesses.map(({ cosignature }) => cosignature)).toEqual([
    { state: "valid", second: 1_795_290_535 },
    { state: "missing" },
  ]);
  const earlier = await one.cosign((await log.overview(4)).checkpoint, 1_795_290_535);
  const line = earlier.slice(earlier.lastIndexOf("—"));
  const wrong = await check({ ...overview, checkpoint: `${overview.checkpoint}${line}` });
  expect(wrong.signed).not.toBeNull();
  expect(wrong.witnesses.map(({ cosignature }) => cosignature.state)).toEqual(["invalid", "missing"]);
  expect(wrong.failures).toMatchObject([{ kind: "log_invalid", subject: "checkpoint 13 witness one.example" }]);
  // A key that is none cannot have signed anything.
  const nonsense = {
    ...overview,
    witnesses: [{ name: "one.example", verifierKey: "nonsense", cosignedSize: null, cosignedAt: null }],
  };
  expect(kindsOf(await check(nonsense))).toEqual(["log_invalid"]);
});

const down = () => Promise.reject(refusal(503, "Please try again."));

it("does not take a fault for a contradiction", async () => {
  const overview = await log.overview();
  for (const calls of [{ fetchKeys: down }, { fetchLogFile: down }])
    await expect(check(overview, calls)).rejects.toThrow("Please try again.");
});
