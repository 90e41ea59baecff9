import { LinkButton, Panel } from "@/components";
import { STARTER_GAME } from "@/games/registry";

const SHOWN = [
  { name: "Your profit over time", text: "for each game and all of them, by the hour, the day, or from the beginning" },
  { name: "Totals by game", text: "rounds, stakes, payouts, and what came back of every dollar" },
  { name: "Daily statements", text: "what you began a day with, what changed, and what was left" },
];

/** What the page will show, for a player without rounds. */
export function NothingYet() {
  return (
    <Panel className="overflow-clip p-0">
      <div className="grid lg:grid-cols-[minmax(0,1fr)_minmax(0,1fr)]">
        <div className="grid content-center gap-5 p-6 lg:p-10">
          <h2 className="display text-28 font-bold">Nothing to add up yet</h2>
          <p className="max-w-[48ch] text-14 text-ink-2">
            This page is drawn from your own rounds. After the first one it shows:
          </p>
          <ul className="grid gap-3">
            {SHOWN.map(({ name, text }) => (
              <li key={name} className="border-l-2 border-line pl-3 text-14">
                <span className="font-semibold">{name}</span>
                <span className="block text-13 text-ink-2">{text}</span>
              </li>
            ))}
          </ul>
          <LinkButton to={STARTER_GAME.path} variant="primary" className="justify-self-start">
            Play {STARTER_GAME.name.toLowerCase()}
          </LinkButton>
        </div>
        <EmptyAxes />
      </div>
    </Panel>
  );
}

/** Axes that wait for a line. */
function EmptyAxes() {
  return (
    <div aria-hidden className="relative min-h-[220px] bg-well max-lg:order-first">
      <svg viewBox="0 0 400 240" preserveAspectRatio="none" className="absolute inset-0 size-full">
        {[40, 80, 160, 200].map((y) => (
          <line key={y} x1={24} x2={376} y1={y} y2={y} vectorEffect="non-scaling-stroke" className="stroke-line/60" />
        ))}
        <line
          x1={24}
          x2={376}
          y1={120}
          y2={120}
          vectorEffect="non-scaling-stroke"
          className="stroke-control [stroke-dasharray:5_6]"
        />
      </svg>
      <span className="absolute left-[6%] top-1/2 size-2.5 -translate-x-1/2 -translate-y-1/2 rounded-full bg-brass" />
      <span className="absolute left-[6%] top-1/2 ml-4 -translate-y-8 text-13 text-ink-3">$0.00: you are here</span>
    </div>
  );
}
