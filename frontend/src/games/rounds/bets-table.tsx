import { LatePart } from "@/components/late-part";
import { lazyPart } from "@/lib/lazy-part";
import type { MyBetsProps } from "./my-bets";

// The bets are below the game: their code is loaded beside the first screen, and not before it.
const BetTabs = lazyPart(() => import("./bet-tabs"));

/** The bets below a game's stage. */
export function BetsTable(props: MyBetsProps) {
  return (
    <section aria-label="Bets" className="min-w-0 rounded-panel bg-panel p-5 max-sm:p-3">
      <LatePart title="The bets could not be loaded" className="bets-room">
        <BetTabs {...props} />
      </LatePart>
    </section>
  );
}
