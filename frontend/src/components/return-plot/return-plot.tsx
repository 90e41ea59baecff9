// Each game's measured return with its confidence interval, next to the exact return.

import type { ReactNode } from "react";
import { counted } from "@/lib/format";
import { positionOf, type Scale } from "@/lib/plot-scale";
import { exactText, type GameReturn, returnScale, verdictText } from "./returns";

type ReturnPlotProps<G extends GameReturn> = {
  games: readonly G[];
  /** More about a game, after the verdict. */
  note?: (game: G) => ReactNode;
};

export function ReturnPlot<G extends GameReturn>({ games, note }: ReturnPlotProps<G>) {
  const scale = returnScale(games);
  return (
    <div className="grid gap-1">
      <p className="mb-3 flex flex-wrap gap-x-5 gap-y-1 text-13 text-ink-2">
        <span>
          <span aria-hidden className="mr-2 inline-block h-3.5 w-0.5 translate-y-0.5 bg-ink" />
          exact RTP
        </span>
        <span>
          <span aria-hidden className="mr-2 inline-block size-2.5 rounded-full bg-info" />
          measured RTP
        </span>
        <span>
          <span aria-hidden className="mr-2 inline-block h-1 w-5 -translate-y-0.5 bg-info/50" />
          95% confidence interval
        </span>
      </p>
      <ul className="divide-y divide-line">
        {games.map((game) => (
          <Row key={game.game} game={game} scale={scale} note={note?.(game)} />
        ))}
      </ul>
      <div aria-hidden className="grid gap-x-5 sm:grid-cols-[180px_1fr]">
        <span className="max-sm:hidden" />
        <div className="relative h-5 text-12 text-ink-3">
          {scale.ticks.map((tick) => (
            <span
              key={tick}
              className="absolute -translate-x-1/2"
              style={{ left: `${positionOf(tick, scale) * 100}%` }}
            >
              {tick}%
            </span>
          ))}
        </div>
      </div>
    </div>
  );
}

function Row({ game, scale, note }: { game: GameReturn; scale: Scale; note: ReactNode }) {
  return (
    <li className="grid items-center gap-x-5 gap-y-2 py-3 sm:grid-cols-[180px_1fr]">
      <div className="grid gap-0.5">
        <h3 className="text-14 font-semibold">{game.label}</h3>
        <p className="text-12 text-ink-3">{counted(game.rounds, "round")}</p>
      </div>
      <div className="grid gap-1.5">
        <Interval game={game} scale={scale} />
        <p className="text-13 text-ink-2">
          {game.measuredRtpPercent === null ? "Not measured yet" : `Measured ${game.measuredRtpPercent}%`}
          {game.lowPercent !== null && game.highPercent !== null && ` (${game.lowPercent}% to ${game.highPercent}%)`},
          exact {exactText(game)}
        </p>
        {(game.measuredRtpPercent !== null || note !== undefined) && (
          <p className="text-12 text-ink-3">
            {game.measuredRtpPercent !== null && `${verdictText(game)}. `}
            {note}
          </p>
        )}
      </div>
    </li>
  );
}

const clamped = (value: number, scale: Scale) => Math.min(1, Math.max(0, positionOf(value, scale))) * 100;

/** A dot, or an arrow if the value is outside the scale. */
const MARKS = { within: "M-5 0a5 5 0 1 0 10 0a5 5 0 1 0-10 0z", beneath: "M-7 0 4-6v12z", beyond: "M7 0-4-6v12z" };
function placeOf(value: number, scale: Scale): keyof typeof MARKS {
  if (value < scale.minimum) return "beneath";
  return value > scale.maximum ? "beyond" : "within";
}

/** Positioned in percent of the width; the text next to it says the same. */
function Interval({ game, scale }: { game: GameReturn; scale: Scale }) {
  const exact = clamped(Number(game.exactRtpPercent), scale);
  const [low, high] = [game.lowPercent, game.highPercent].map((value) =>
    value === null ? null : clamped(Number(value), scale),
  );
  return (
    <svg aria-hidden className="h-6 w-full overflow-visible">
      {scale.ticks.map((tick) => (
        <line
          key={tick}
          x1={`${positionOf(tick, scale) * 100}%`}
          x2={`${positionOf(tick, scale) * 100}%`}
          y1="0"
          y2="100%"
          className="stroke-line"
        />
      ))}
      {typeof low === "number" && typeof high === "number" && (
        <line x1={`${low}%`} x2={`${high}%`} y1="50%" y2="50%" className="stroke-info/50 [stroke-width:4]" />
      )}
      <line x1={`${exact}%`} x2={`${exact}%`} y1="0" y2="100%" className="stroke-ink stroke-2" />
      {game.measuredRtpPercent !== null && (
        <svg x={`${clamped(Number(game.measuredRtpPercent), scale)}%`} y="50%" className="overflow-visible">
          <path
            d={MARKS[placeOf(Number(game.measuredRtpPercent), scale)]}
            className="fill-info stroke-panel stroke-2"
          />
        </svg>
      )}
    </svg>
  );
}
