import { type ReactNode, Suspense, useState } from "react";
import { Skeleton } from "@/components/spinner";
import { Tabs, TabsContent, TabsList, TabsTrigger } from "@/components/tabs";
import { lazyPart } from "@/lib/lazy-part";
import { PHONE, useMatches } from "@/lib/media";
import type { MyBetsProps } from "./my-bets";
import { TabBoundary } from "./tab-boundary";

// The bets are below the game: their code is loaded beside the first screen, and not before it.
const MyBets = lazyPart(() => import("./my-bets"));
const AllBets = lazyPart(() => import("./all-bets"));
const HighWins = lazyPart(() => import("./high-wins"));
const MyBetsSheet = lazyPart(() => import("./my-bets-sheet"));

/** The bets below a game's stage: the player's own, everybody's, the highest wins, and the game's statistics. */
export function BetsTable(props: MyBetsProps) {
  const { game } = props;
  const [tab, setTab] = useState("mine");
  const { extraTab } = game;
  const isPhone = useMatches(PHONE);
  return (
    <section aria-label="Bets" className="min-w-0 rounded-panel bg-panel p-5 max-sm:p-3">
      <Tabs value={tab} onValueChange={setTab} className="grid grid-cols-[minmax(0,1fr)] gap-3">
        <TabsList aria-label="Bets" className="max-w-[560px] overflow-x-auto">
          <Trigger value="mine">My bets</Trigger>
          <Trigger value="all">All bets</Trigger>
          <Trigger value="high">High wins</Trigger>
          {extraTab && <Trigger value={extraTab.value}>{extraTab.label}</Trigger>}
        </TabsList>
        <Part value="mine" height="min-h-[116px]">
          <MyBets {...props} />
        </Part>
        <Part value="all">
          <AllBets game={game} />
        </Part>
        <Part value="high">
          <HighWins game={game} />
        </Part>
        {extraTab && (
          <Part value={extraTab.value}>
            <extraTab.Content />
          </Part>
        )}
      </Tabs>
      {isPhone && (
        <Suspense>
          <MyBetsSheet {...props} />
        </Suspense>
      )}
    </section>
  );
}

function Trigger({ value, children }: { value: string; children: string }) {
  return (
    <TabsTrigger value={value} className="whitespace-nowrap max-sm:px-1.5 max-sm:text-13">
      {children}
    </TabsTrigger>
  );
}

/** A tab whose code is loaded when it is first shown; until then it takes about the height of its content. */
function Part({ value, height = "h-[480px]", children }: { value: string; height?: string; children: ReactNode }) {
  return (
    <TabsContent value={value}>
      <TabBoundary>
        <Suspense fallback={<Skeleton className={height} />}>{children}</Suspense>
      </TabBoundary>
    </TabsContent>
  );
}
