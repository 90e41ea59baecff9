import { expect, it } from "vitest";
import { houseWith, moneyText, NEXT, openRoundText, ORIGIN, PAIR, pairText, roundText } from "@/test-support/trust";
import { parseVerifierKey } from "./note";
import { openReceipt, parseReceipt } from "./receipt";

const TEXTS = [
  roundText(812),
  openRoundText(813),
  pairText(),
  pairText({ client: "0123456789abcdef by house" }),
  moneyText("deposit 3", "credited"),
  moneyText("withdrawal 4", "held"),
  moneyText("withdrawal 4", "returned"),
  moneyText("withdrawal 4", "paid"),
];

it("reads the receipt of a round", () => {
  expect(parseReceipt(roundText(812))).toEqual({
    kind: "round",
    origin: ORIGIN,
    player: 7,
    roundId: 812,
    state: "settled",
    serverSeedHash: PAIR,
    nonce: 812,
    stakeCents: 1000,
    payoutCents: 1980,
    balanceCents: 50980,
    entry: "5f".repeat(32),
    time: "2026-11-21T19:48:55.361837Z",
  });
  expect(parseReceipt(openRoundText(813))).toMatchObject({ state: "open", payoutCents: null, entry: null });
});

it("reads the receipts of a pair and of money", () => {
  expect(parseReceipt(pairText())).toMatchObject({
    kind: "pair",
    serverSeedHash: PAIR,
    clientSeed: "my_seed",
    clientSeedBy: "player",
    nextServerSeedHash: NEXT,
  });
  expect(parseReceipt(moneyText("deposit 3", "credited"))).toMatchObject({ kind: "deposit", id: 3, amountCents: 2500 });
  expect(parseReceipt(moneyText("withdrawal 4", "paid"))).toMatchObject({ kind: "withdrawal", id: 4, state: "paid" });
});

it.each(TEXTS)("refuses other lines, orders and spaces in %s", (text) => {
  const lines = text.split("\n");
  const variants = [
    text.slice(0, -1),
    `${text}\n`,
    text.replaceAll("\n", "\r\n"),
    `${text}note x\n`,
    ...lines
      .slice(0, -1)
      .flatMap((line, at) => [
        lines.toSpliced(at, 1),
        lines.toSpliced(at, 0, line),
        lines.with(at, `${line} `),
        lines.with(at, ` ${line}`),
        lines.with(at, line.replace(" ", "  ")),
        lines.with(at, line.split(" ")[0] ?? ""),
        lines.with(at, line.toUpperCase()),
      ]),
    ...lines.slice(0, -2).map((line, at) => lines.with(at, lines[at + 1] ?? "").with(at + 1, line)),
  ].map((variant) => (typeof variant === "string" ? variant : variant.join("\n")));
  for (const variant of variants) if (variant !== text) expect(() => parseReceipt(variant), variant).toThrow(/./);
});

it.each([
  { player: -1 },
  { player: "07" },
  { subject: "round 012" },
  { subject: "game 1" },
  { state: "void" },
  { state: "open" },
  { pair: `${PAIR} nonce -1` },
  { pair: `${PAIR.toUpperCase()} nonce 1` },
  { pair: `${PAIR.slice(1)} nonce 1` },
  { stake: "10.00" },
  { stake: "+10" },
  { stake: "9007199254740993" },
  { payout: "-" },
  { payout: "" },
  { balance: "1e3" },
  { entry: "-" },
  { entry: "5f" },
  { time: "2026-11-21T19:48:55.361837+00:00" },
  { time: "2026-11-21T19:48:55.361Z" },
  { time: "2026-02-30T19:48:55.361837Z" },
  { time: "2026-11-21T24:00:00.000000Z" },
  { origin: "two words" },
])("refuses %o in a settled round", (change) => {
  expect(() => parseReceipt(roundText(812, change))).toThrow(/./);
});

it("refuses values that do not belong to the subject", () => {
  expect(() => parseReceipt(openRoundText(1, { payout: 0 }))).toThrow(/./);
  expect(() => parseReceipt(openRoundText(1, { entry: PAIR }))).toThrow(/./);
  expect(() => parseReceipt(pairText({ client: "a by somebody" }))).toThrow(/./);
  expect(() => parseReceipt(pairText({ client: "a b by player" }))).toThrow(/./);
  expect(() => parseReceipt(moneyText("deposit 3", "held"))).toThrow(/./);
  expect(() => parseReceipt(moneyText("withdrawal 3", "credited"))).toThrow(/./);
  expect(() => parseReceipt(moneyText("deposit 3", "credited", { amount: -5 }))).toThrow(/./);
});

it("accepts each receipt of a commit", async () => {
  const house = await houseWith();
  const keys = [await parseVerifierKey(house.key)];
  const receipts = await house.receipts(TEXTS);
  for (const receipt of receipts) expect(await openReceipt(receipt, keys)).toEqual(parseReceipt(receipt.text));
  const [alone] = await house.receipts([roundText(812)]);
  expect(alone?.path).toEqual([]);
  if (alone) expect(await openReceipt(alone, keys)).toMatchObject({ roundId: 812 });
});

it("refuses a receipt if a single thing about it is changed", async () => {
  const house = await houseWith();
  const keys = [await parseVerifierKey(house.key)];
  const [receipt, other] = await house.receipts(TEXTS);
  if (!receipt || !other) throw new Error("there are receipts");
  // Each digit of its text.
  for (const { index } of receipt.text.matchAll(/\d/g)) {
    const digit = receipt.text[index] === "1" ? "2" : "1";
    const text = receipt.text.slice(0, index) + digit + receipt.text.slice(index + 1);
    await expect(openReceipt({ ...receipt, text }, keys), text).rejects.toThrow(/./);
  }
  const changes = [
    { index: receipt.index + 1 },
    { index: -1 },
    { path: receipt.path.slice(1) },
    { path: receipt.path.toReversed() },
    { path: [...receipt.path, receipt.path[0] ?? ""] },
    { path: receipt.path.with(0, receipt.path[1] ?? "") },
    { path: receipt.path.with(0, "AAAA") },
    { note: receipt.note.replace("\n8\n", "\n9\n") },
    { note: receipt.note.replace("/receipts", "") },
    { text: other.text },
  ];
  for (const change of changes)
    await expect(openReceipt({ ...receipt, ...change }, keys), JSON.stringify(change)).rejects.toThrow(/./);
});

it("accepts only keys of the receipt's own origin", async () => {
  const [house, stranger, elsewhere] = await Promise.all([houseWith(1), houseWith(2), houseWith(1, "other.example")]);
  const [receipt] = await house.receipts([roundText(1)]);
  const [foreign] = await elsewhere.receipts([roundText(1)]);
  if (!receipt || !foreign) throw new Error("there are receipts");
  const [strangerKey, elsewhereKey] = [await parseVerifierKey(stranger.key), await parseVerifierKey(elsewhere.key)];
  await expect(openReceipt(receipt, [])).rejects.toMatchObject({ problem: "unknown_key" });
  await expect(openReceipt(receipt, [strangerKey])).rejects.toMatchObject({ problem: "unknown_key" });
  await expect(openReceipt(foreign, [elsewhereKey])).rejects.toMatchObject({ problem: "unknown_key" });
});
