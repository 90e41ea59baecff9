import { ApiError } from "@/api/error";
import type { FairnessState, FormerPair, RoundInclusion } from "@/api/trust/wire";
import type { Calls } from "@/api/trust/watcher";
import { sha256Hex } from "@/lib/fairness/stream";
import { type Bytes, fromHex, toBase64, toHex, utf8 } from "@/lib/trust/bytes";
import { leafHash } from "@/lib/trust/merkle";
import type { WireReceipt } from "@/lib/trust/receipt";
import type { ShownRound } from "@/lib/trust/shown-round";
import { consistencyPath, type House, houseWith, inclusionPath, roundText, treeOf } from "./trust";

/** A refusal as the server sends it. */
export const refusal = (status: number, message: string): ApiError =>
  new ApiError(status, message, { code: status === 404 ? "not_found" : "fault", message });

/** The server's half of verifiable fairness in memory, for one player; a test changes what is to be dishonest. */
export class FairHouse {
  signer: House;
  keys: string[];
  /** The leaves of the public log. */
  readonly log: Bytes[] = [];
  /** The public entries of rounds, where a test needs real ones. */
  readonly lines = new Map<number, string>();
  /** The place in the log of each round that is in it. */
  readonly places = new Map<number, number>();
  /** The settled rounds as the house shows them, where a test asks for them. */
  readonly rounds = new Map<number, ShownRound>();
  readonly receiptsById = new Map<number, WireReceipt>();
  readonly former: FormerPair[] = [];
  #seeds = 1;
  #seed = seedOf(0);
  #nextSeed = seedOf(1);
  clientSeed = "house-seed";
  clientSeedBy: "player" | "house" = "player";
  nonce = 0;

  private constructor(signer: House) {
    this.signer = signer;
    this.keys = [signer.key];
  }

  static async open(): Promise<FairHouse> {
    return new FairHouse(await houseWith());
  }

  get serverSeed(): string {
    return this.#seed;
  }

  async state(): Promise<FairnessState> {
    const [serverSeedHash, nextServerSeedHash] = await Promise.all([sha256Hex(this.#seed), sha256Hex(this.#nextSeed)]);
    const { clientSeed, clientSeedBy, nonce } = this;
    return { serverSeedHash, nextServerSeedHash, clientSeed, clientSeedBy, nonce, receipt: null };
  }

  async rotate(clientSeed: string) {
    const { serverSeedHash, ...before } = await this.state();
    const revealed = {
      serverSeed: this.#seed,
      serverSeedHash,
      clientSeed: before.clientSeed,
      clientSeedBy: before.clientSeedBy,
    };
    const time = "2026-11-21T19:48:55Z";
    this.former.unshift({
      ...revealed,
      rounds: this.nonce,
      committedAt: time,
      activatedAt: time,
      revealedAt: time,
    });
    const answer = { ...revealed, nonce: this.nonce };
    this.#seeds += 1;
    this.#seed = this.#nextSeed;
    this.#nextSeed = seedOf(this.#seeds);
    this.clientSeed = clientSeed;
    this.clientSeedBy = "player";
    this.nonce = 0;
    return { revealed: answer, current: await this.state() };
  }

  /** The receipt of a round that was settled; its entry is in the log only after `publish`. */
  async settle(roundId: number, change: Record<string, string | number> = {}): Promise<WireReceipt> {
    const { serverSeedHash } = await this.state();
    const entry = await this.entryOf(roundId);
    const text = roundText(roundId, { pair: `${serverSeedHash} nonce ${this.nonce}`, entry, ...change });
    this.nonce += 1;
    return this.receipt(text, roundId);
  }

  async receipt(text: string, roundId?: number): Promise<WireReceipt> {
    const [receipt] = await this.signer.receipts([text, "another receipt of the same commit"]);
    if (!receipt) throw new Error("a commit has a receipt");
    const wire = { ...receipt, path: [...receipt.path] };
    if (roundId !== undefined) this.receiptsById.set(roundId, wire);
    return wire;
  }

  /** Writes a round's entry into the log. */
  async publish(roundId: number): Promise<void> {
    this.places.set(roundId, this.log.length);
    this.log.push(fromHex(await this.entryOf(roundId)));
  }

  lineOf(roundId: number): string {
    return this.lines.get(roundId) ?? `the entry of round ${roundId}`;
  }

  /** The leaf hash of the public entry of a round, in hexadecimal. */
  async entryOf(roundId: number): Promise<string> {
    return toHex(await leafHash(utf8(this.lineOf(roundId))));
  }

  async proof(roundId: number): Promise<RoundInclusion> {
    const index = this.places.get(roundId);
    if (index === undefined) throw refusal(404, "The round is not in the log yet.");
    const path = await inclusionPath(this.log, index);
    const checkpoint = await this.signer.signTree(await treeOf(this.log));
    return { index, entry: this.lineOf(roundId), path: path.map(toBase64), checkpoint };
  }

  readonly calls: { -readonly [Name in keyof Calls]: Calls[Name] } = {
    fetchKeys: () => Promise.resolve(this.keys.join("\n")),
    fetchFairness: () => this.state(),
    fetchPairs: () => Promise.resolve({ entries: this.former, next: null }),
    fetchProof: (roundId) => this.proof(roundId),
    fetchRound: (roundId) => {
      const round = this.rounds.get(roundId);
      return round ? Promise.resolve(round) : Promise.reject(refusal(404, "There is no such round."));
    },
    fetchCheckpoint: async () => (this.log.length === 0 ? null : this.signer.signTree(await treeOf(this.log))),
    fetchConsistency: async (from, to) =>
      to > this.log.length ? null : (await consistencyPath(this.log.slice(0, to), from)).map(toBase64),
    fetchReceipt: (roundId) => {
      const receipt = this.receiptsById.get(roundId);
      return receipt
        ? Promise.resolve({ ...receipt, path: [...receipt.path] })
        : Promise.reject(refusal(404, "There is no receipt."));
    },
  };
}

const seedOf = (index: number): string => index.toString(16).padStart(64, "0");
