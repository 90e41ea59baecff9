import { useMemo, useState } from "react";
import { usePages } from "@/api/pages";
import { Amount } from "@/components/amount";
import { Button } from "@/components/button";
import { EmptyState, ErrorState } from "@/components/states";
import { centsOf, formatWire } from "@/lib/money";
import type { GameHistoryEntry } from "./api";
import { type BetColumn, BetList } from "./bet-list";
import { ExplainButton } from "./explain-button";
import { type GameRounds, isRoundOf, paidMultiplier } from "./game-rounds";
import { fetchHistoryPage } from "./history-pages";
import { joinedBets } from "./own-bets";
import { ProofMark } from "./proof-mark";

const FIRST_SHOWN = 8;
const MORE = 20;

/** A round in play has no result yet. */
type Row = { id: number; betAmount: string; entry: GameHistoryEntry | null };

export type MyBetsProps = {
  game: GameRounds;
  rounds: readonly GameHistoryEntry[];
  /** The round in play, if any. */
  inPlay?: { roundId: number; betAmount: string } | null;
  onVerifyRound(id: number): void;
};

/** The player's own rounds of a game, with the state of their proofs. */
export default function MyBets({ game, rounds, inPlay = null, onVerifyRound }: MyBetsProps) {
  const { title = "Your last bets" } = game;
  const older = useOlderBets(game, rounds);
  const columns = useMemo(() => columnsOf(game, onVerifyRound), [game, onVerifyRound]);
  const settled = older.shown.filter(({ id }) => id !== inPlay?.roundId);
  if (settled.length === 0 && inPlay === null)
    return <EmptyState title="No bets yet">Place a bet and it appears here.</EmptyState>;
  const rows: Row[] = settled.map((entry) => ({ id: entry.id, betAmount: entry.betAmount, entry }));
  if (inPlay !== null) rows.unshift({ id: inPlay.roundId, betAmount: inPlay.betAmount, entry: null });
  return (
    <div className="grid gap-3">
      <BetList
        caption={`${title}, newest first`}
        columns={columns}
        rows={rows}
        keyOf={({ id }) => id}
        tracks="max-sm:grid-cols-[minmax(68px,auto)_1fr_auto_44px]"
      />
      {older.error !== undefined && (
        <ErrorState title="Older bets could not be loaded" onRetry={() => void older.reload()} />
      )}
      {older.hasMore && older.error === undefined && (
        <Button className="justify-self-start" loading={older.isLoading} onClick={older.showMore}>
          More
        </Button>
      )}
    </div>
  );
}

/** The rounds shown so far, and how to show more: the history is only loaded when the player asks for it. */
function useOlderBets(game: GameRounds, recent: readonly GameHistoryEntry[]) {
  const [shownCount, setShownCount] = useState(FIRST_SHOWN);
  const isAsked = shownCount > FIRST_SHOWN;
  const { gameType } = game;
  const pages = usePages(isAsked ? ["own-bets", gameType] : null, (cursor) => fetchHistoryPage({ gameType }, cursor));
  const paged = pages.entries.filter((entry) => isRoundOf(game, entry));
  const { rounds, hasGap } = joinedBets(recent, paged);
  // Before the first page is loaded, a full list suggests that there is more.
  const isMoreLikely = isAsked ? pages.hasMore || pages.isLoading : recent.length >= FIRST_SHOWN;
  function showMore() {
    setShownCount(Math.min(shownCount, rounds.length) + MORE);
    if (hasGap) void pages.reload();
    else if (isAsked && pages.hasMore && rounds.length < shownCount + MORE) pages.loadMore();
  }
  return {
    shown: rounds.slice(0, shownCount),
    hasMore: rounds.length > shownCount || isMoreLikely || hasGap,
    isLoading: isAsked && pages.isLoading,
    error: pages.error,
    reload: pages.reload,
    showMore,
  };
}

function columnsOf({ columns }: GameRounds, onVerifyRound: (id: number) => void): BetColumn<Row>[] {
  const { result, bet, terms } = columns;
  return [
    { name: result.name, place: "middleTop", cell: ({ entry }) => (entry === null ? "–" : result.cell(entry)) },
    {
      name: "Bet ID",
      place: "start",
      cell: ({ id, entry }) => <BetNumber id={id} {...(entry !== null && { onVerify: () => onVerifyRound(id) })} />,
    },
    { name: bet, isNumber: true, place: "endBottom", cell: ({ betAmount }) => formatWire(betAmount) },
    {
      name: terms.name,
      isNumber: true,
      place: "middleBottom",
      cell: ({ entry }) => (entry === null ? "–" : terms.cell(entry)),
    },
    {
      name: "Multiplier",
      isNumber: true,
      place: "hidden",
      cell: ({ entry }) => (entry === null ? "–" : paidMultiplier(entry)),
    },
    {
      name: "Profit",
      isNumber: true,
      place: "endTop",
      cell: ({ entry }) =>
        entry === null ? (
          <span className="whitespace-nowrap text-ink-3">in play</span>
        ) : (
          <Amount cents={centsOf(entry.profit)} signed />
        ),
    },
    { name: "Proof", place: "hidden", cell: ({ id }) => <ProofMark roundId={id} className="min-w-[5rem]" /> },
    {
      name: "How it came about",
      isNameHidden: true,
      place: "action",
      cell: ({ id, entry }) => entry !== null && <ExplainButton roundId={id} />,
    },
  ];
}

/** The number of a round, which verifies it once it has ended. */
function BetNumber({ id, onVerify }: { id: number; onVerify?: () => void }) {
  const content = (
    <>
      #{id}
      <ProofMark roundId={id} isCompact className="sm:hidden" />
    </>
  );
  if (onVerify === undefined) return <span className="flex min-h-11 items-center gap-1">{content}</span>;
  return (
    <button
      type="button"
      onClick={onVerify}
      aria-label={`Round ${id}: verify`}
      className="inline-flex min-h-11 min-w-11 items-center gap-1 rounded-control text-left underline decoration-line underline-offset-4 hover:decoration-ink"
    >
      {content}
    </button>
  );
}
