import type { ReactNode } from "react";
import { Amount } from "@/components/amount";
import { LinkButton } from "@/components/button";
import type { GameDefinition } from "@/games/definition";
import { GamePicture, usePreview } from "@/games/game-preview";
import { GAMES } from "@/games/registry";
import type { OpenRounds } from "@/games/rounds/api";
import { cn } from "@/lib/class-names";
import { centsOf, formatWire } from "@/lib/money";
import { InPlayDot } from "../in-play";
import { type EndedRound, useGamesInPlay } from "../providers/running-rounds";

/** The rounds in play, before everything else on the dashboard; nothing without any. */
export function RunningLead() {
  const { games, open, ended } = useGamesInPlay();
  // A live round does not wait for its player, so it comes first.
  const running = GAMES.filter((game) => games.has(game)).toSorted((one, other) => urgency(other) - urgency(one));
  return (
    <>
      {ended !== null && <EndedLead {...ended} />}
      {open !== null && running.map((game) => <GameInPlay key={game.id} game={game} open={open} />)}
    </>
  );
}

const urgency = ({ kind }: GameDefinition): number => (kind === "timed" ? 1 : 0);

function GameInPlay({ game, open }: { game: GameDefinition; open: OpenRounds }) {
  const preview = usePreview(game);
  return (
    <Lead
      label={`${game.label} in play`}
      mark={<InPlayDot />}
      picture={<GamePicture game={game} open={open} isBackdrop className="min-h-[132px] max-md:order-first" />}
      action={
        <LinkButton to={game.path} variant="primary" size="large" className="max-sm:w-full">
          Continue
        </LinkButton>
      }
    >
      {preview && <preview.Progress open={open} />}
    </Lead>
  );
}

/** Takes the place of the round that was in play, so that nothing below moves when it ends. */
function EndedLead({ game, round }: EndedRound) {
  const profit = centsOf(round.winAmount) - centsOf(round.betAmount);
  return (
    <Lead
      label={`${game.label} is over`}
      picture={<GamePicture game={game} isBackdrop className="min-h-[132px] opacity-40 max-md:order-first" />}
      action={
        <LinkButton to={game.path} size="large" className="max-sm:w-full">
          Play again
        </LinkButton>
      }
    >
      <p role="status">
        <Amount cents={profit} signed className="display text-40 font-bold" />
      </p>
      <p className="text-14 text-ink-2">
        Your stake was {formatWire(round.betAmount)}, the payout {formatWire(round.winAmount)}.
      </p>
    </Lead>
  );
}

type LeadProps = { label: string; mark?: ReactNode; picture: ReactNode; action: ReactNode; children: ReactNode };

function Lead({ label, mark, picture, action, children }: LeadProps) {
  return (
    <section aria-label={label} className="grid overflow-hidden rounded-panel bg-panel md:grid-cols-[5fr_4fr]">
      <div className="grid content-center gap-2 p-5 lg:p-6">
        <p className={cn("flex items-center gap-2 text-13 font-semibold", mark ? "text-brass" : "text-ink-2")}>
          {mark}
          {label}
        </p>
        {/* As high as its content, so that nothing moves when it is loaded. */}
        <div className="grid min-h-[94px] content-center gap-2 max-sm:min-h-[114px]">{children}</div>
        <div className="mt-2">{action}</div>
      </div>
      {picture}
    </section>
  );
}
