import type { components } from "@/api/schema";
import { refusal } from "@/test-support/fair-house";
import { type Bytes, concat, toBase64, utf8 } from "@/lib/trust/bytes";
import { tilePath } from "@/lib/trust/log-files";
import { leafHash } from "@/lib/trust/merkle";
import vectors from "../../../crates/games/tests/vectors/published.json";
import { consistencyPath, houseWith, ORIGIN, treeOf } from "./trust";

const SHOWN = 20;

/** Entries of real rounds of all games, two of each, after the entry with the rules. */
const ROUNDS = vectors.rounds.filter(
  ({ game }, index, all) => all.findIndex((round) => round.game === game) + 2 > index,
);
const LINES: readonly string[] = [
  JSON.stringify({ kind: "rules", version: 2, sha256: "42".repeat(32), second: 1_795_290_534 }),
  ...ROUNDS.map(({ game, rules, stake, payout, terms, words }) =>
    JSON.stringify({ kind: "round", game, rules, stake, payout, terms, words, second: 1_795_290_535 }),
  ),
];

const dice: components["schemas"]["HouseGame"] = {
  game: "dice",
  rounds: 1234,
  staked: "12340.00",
  paid: "12216.60",
  profit: "123.40",
  exactRtpPercent: "99.00",
  measuredRtpPercent: "99.00",
  lowPercent: "93.40",
  highPercent: "104.60",
  pValue: 0.99,
  isOneSided: false,
};
const mines: typeof dice = {
  ...dice,
  game: "mines",
  rounds: 0,
  staked: "0.00",
  paid: "0.00",
  profit: "0.00",
  measuredRtpPercent: null,
  lowPercent: null,
  highPercent: null,
  pValue: null,
};

/** A public log in memory, shorter than a file. */
export async function publicLog(lines: readonly string[] = LINES, secret = 1) {
  const signer = await houseWith(secret);
  const leaves: Bytes[] = await Promise.all(lines.map((line) => leafHash(utf8(line))));
  return {
    lines,
    key: signer.key,
    sign: (text: string) => signer.sign(text),
    /** What the server shows at a size. */
    async overview(size = lines.length): Promise<components["schemas"]["Transparency"]> {
      const from = Math.max(0, size - SHOWN);
      return {
        origin: ORIGIN,
        verifierKeys: [signer.key],
        size,
        checkpoint: await signer.signTree(await treeOf(leaves.slice(0, size))),
        witnesses: [],
        latest: lines
          .slice(from, size)
          .map((entry, offset) => ({ index: from + offset, entry }))
          .toReversed(),
        games: [dice, mines],
      };
    },
    calls: {
      fetchKeys: () => Promise.resolve(`${signer.key}\n`),
      fetchCheckpoint: async () => signer.signTree(await treeOf(leaves)),
      fetchConsistency: async (from: number, to: number) =>
        (await consistencyPath(leaves.slice(0, to), from)).map(toBase64),
      fetchLogFile: (path: string) => {
        const size = Number(/\d+$/.exec(path)?.[0]);
        if (path !== tilePath(0, 0, size) || size > leaves.length) throw refusal(404, "There is no such file.");
        return Promise.resolve(concat(...leaves.slice(0, size)));
      },
    },
  };
}

export type PublicLog = Awaited<ReturnType<typeof publicLog>>;
