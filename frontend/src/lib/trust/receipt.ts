import { hashFromBase64, utf8, wholeNumber } from "./bytes";
import { openReceiptRoot } from "./checkpoint";
import { leafHash, verifyInclusion } from "./merkle";
import type { VerifierKey } from "./note";
import { malformed } from "./proof-error";

// Receipts: texts with one `name value` per line, in a fixed order.

const HEADER = "glasshouse receipt v1";

type Common = { origin: string; player: number; time: string };
export type RoundReceipt = Common & {
  kind: "round";
  roundId: number;
  state: "open" | "settled";
  serverSeedHash: string;
  nonce: number;
  stakeCents: number;
  /** Null while the round is open. */
  payoutCents: number | null;
  balanceCents: number;
  /** The leaf hash of the public entry, in hexadecimal; null while the round is open. */
  entry: string | null;
};
export type PairReceipt = Common & {
  kind: "pair";
  serverSeedHash: string;
  state: "active";
  clientSeed: string;
  clientSeedBy: "player" | "house";
  nextServerSeedHash: string;
};
export type MoneyReceipt = Common & {
  kind: "deposit" | "withdrawal";
  id: number;
  state: "credited" | "held" | "returned" | "paid";
  amountCents: number;
  balanceCents: number;
};
export type Receipt = RoundReceipt | PairReceipt | MoneyReceipt;

/** A receipt as the server sends it. */
export type WireReceipt = {
  text: string;
  /** The place of the receipt among those of its commit. */
  index: number;
  /** The inclusion path in base64. */
  path: readonly string[];
  /** The signed note with the root. */
  note: string;
};

/** Reads lines in their order. */
class Lines {
  readonly #lines: string[];
  #next = 0;

  constructor(text: string) {
    if (!text.endsWith("\n")) throw malformed("The receipt does not end with a line end.");
    this.#lines = text.slice(0, -1).split("\n");
  }

  /** The groups of the next line, which must match as a whole. */
  take(name: string, pattern: string): string[] {
    const line = this.#lines[this.#next];
    this.#next += 1;
    const match = line === undefined ? null : new RegExp(`^${name} ${pattern}$`, "u").exec(line);
    if (match === null) throw malformed(`The receipt has no valid line “${name}” in its place.`);
    return match.slice(1);
  }

  /** The only group of the next line. */
  value(name: string, pattern: string): string {
    return this.take(name, pattern)[0] ?? "";
  }

  end(): void {
    if (this.#next !== this.#lines.length) throw malformed("The receipt has more lines than it may have.");
  }
}

const HASH = "[0-9a-f]{64}";
const NUMBER = "(0|[1-9][0-9]*)";
const CLIENT_SEED = "[A-Za-z0-9_-]{1,64}";
const TIME = String.raw`(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z)`;

function takeTime(lines: Lines): string {
  const time = lines.value("time", TIME);
  const milliseconds = `${time.slice(0, 23)}Z`;
  const parsed = new Date(milliseconds);
  // A date such as 30 February is moved to another day.
  if (Number.isNaN(parsed.getTime()) || parsed.toISOString() !== milliseconds)
    throw malformed("The receipt's time does not exist.");
  return time;
}

const orNull = (text: string): string | null => (text === "-" ? null : text);

function takeRound(lines: Lines, roundId: number, common: Omit<Common, "time">): RoundReceipt {
  const state = lines.value("state", "(open|settled)") as RoundReceipt["state"];
  const [serverSeedHash = "", nonce = ""] = lines.take("pair", `(${HASH}) nonce ${NUMBER}`);
  const stakeCents = wholeNumber(lines.value("stake", NUMBER));
  const payout = orNull(lines.value("payout", `(-|${NUMBER})`));
  const balanceCents = wholeNumber(lines.value("balance", NUMBER));
  const entry = orNull(lines.value("entry", `(-|${HASH})`));
  const isSettled = state === "settled";
  if (isSettled !== (payout !== null) || isSettled !== (entry !== null))
    throw malformed("A settled round has a payout and an entry, and an open one has neither.");
  return {
    ...common,
    kind: "round",
    roundId,
    state,
    serverSeedHash,
    nonce: wholeNumber(nonce),
    stakeCents,
    payoutCents: payout === null ? null : wholeNumber(payout),
    balanceCents,
    entry,
    time: takeTime(lines),
  };
}

function takePair(lines: Lines, serverSeedHash: string, common: Omit<Common, "time">): PairReceipt {
  lines.take("state", "active");
  const [clientSeed = "", by = ""] = lines.take("client", `(${CLIENT_SEED}) by (player|house)`);
  const nextServerSeedHash = lines.value("next", `(${HASH})`);
  return {
    ...common,
    kind: "pair",
    serverSeedHash,
    state: "active",
    clientSeed,
    clientSeedBy: by as PairReceipt["clientSeedBy"],
    nextServerSeedHash,
    time: takeTime(lines),
  };
}

const MONEY_STATES = { deposit: "(credited)", withdrawal: "(held|returned|paid)" } as const;

function takeMoney(lines: Lines, kind: MoneyReceipt["kind"], id: number, common: Omit<Common, "time">): MoneyReceipt {
  return {
    ...common,
    kind,
    id,
    state: lines.value("state", MONEY_STATES[kind]) as MoneyReceipt["state"],
    amountCents: wholeNumber(lines.value("amount", NUMBER)),
    balanceCents: wholeNumber(lines.value("balance", NUMBER)),
    time: takeTime(lines),
  };
}

/** Parses a receipt; throws a ProofError unless it is exactly in the agreed format. */
export function parseReceipt(text: string): Receipt {
  const lines = new Lines(text);
  lines.take("glasshouse", HEADER.slice("glasshouse ".length));
  const origin = lines.value("origin", String.raw`([^\s+]+)`);
  const common = { origin, player: wholeNumber(lines.value("player", NUMBER)) };
  const [subject = ""] = lines.take("subject", `(pair ${HASH}|(?:round|deposit|withdrawal) (?:0|[1-9][0-9]*))`);
  const [kind = "", name = ""] = subject.split(" ");
  const receipt =
    kind === "pair"
      ? takePair(lines, name, common)
      : kind === "round"
        ? takeRound(lines, wholeNumber(name), common)
        : takeMoney(lines, kind as MoneyReceipt["kind"], wholeNumber(name), common);
  lines.end();
  return receipt;
}

/**
 * Verifies that a key of its origin signed a receipt, and returns what it says. The keys are those of the house; throws
 * a ProofError if it does not hold.
 */
export async function openReceipt(wire: WireReceipt, keys: readonly VerifierKey[]): Promise<Receipt> {
  const receipt = parseReceipt(wire.text);
  const tree = await openReceiptRoot(wire.note, receipt.origin, keys);
  await verifyInclusion(await leafHash(utf8(wire.text)), wire.index, wire.path.map(hashFromBase64), tree);
  return receipt;
}
