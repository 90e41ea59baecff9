import { Button } from "@/components/button";
import { Skeleton } from "@/components/spinner";
import { EmptyState, ErrorState } from "@/components/states";
import { useConnection } from "@/api/live/use-connection";
import type { GameRounds } from "./game-rounds";
import { NameSwitch } from "./name-switch";
import { PublicBetList } from "./public-bet-list";
import { useBetFeed } from "./use-bet-feed";

/**
 * Everybody's bets on a game as they end. Nothing is announced; while the pointer or the focus is on the list it does
 * not move.
 */
export default function AllBets({ game }: { game: GameRounds }) {
  const feed = useBetFeed(game);
  const { bets, isHeld, setHeld } = feed;
  const connection = useConnection();
  const isEmpty = bets.length === 0 && !feed.hasMore;
  return (
    <div className="grid gap-3">
      <p className="flex items-center gap-2 text-13 text-ink-3">
        <span
          aria-hidden
          className={connection === "open" && !isHeld ? "size-2 rounded-full bg-brass" : "size-2 rounded-full bg-line"}
        />
        {connection !== "open" ? "Connecting" : isHeld ? "Held while you read" : "Live"}
      </p>
      {feed.error !== undefined ? (
        <ErrorState title="The bets could not be loaded" onRetry={() => void feed.reload()} />
      ) : feed.isLoadingFirst && bets.length === 0 ? (
        <Skeleton className="h-[480px]" />
      ) : isEmpty ? (
        <EmptyState title="No bets yet">Every player’s bets on this game appear here when they end.</EmptyState>
      ) : (
        <div
          className="[overflow-anchor:none]"
          onPointerEnter={(event) => event.pointerType === "mouse" && setHeld(true)}
          onPointerLeave={() => setHeld(false)}
        >
          <PublicBetList game={game} caption="Bets of all players, newest first" bets={bets} />
        </div>
      )}
      {feed.hasMore && feed.error === undefined && (
        <Button className="justify-self-start" loading={feed.isLoading && !feed.isLoadingFirst} onClick={feed.loadMore}>
          More
        </Button>
      )}
      <div className="border-t border-line pt-3">
        <NameSwitch onChanged={feed.renew} />
      </div>
    </div>
  );
}
