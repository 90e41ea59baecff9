import { memo, type ReactNode, useDeferredValue, useState } from "react";
import { LatePart } from "@/components/late-part";
import { Tabs, TabsContent, TabsList, TabsTrigger } from "@/components/tabs";
import { lazyPart } from "@/lib/lazy-part";
import { PHONE, useMatches } from "@/lib/media";
import MyBets, { type MyBetsProps } from "./my-bets";
import { MyBetsSheet } from "./my-bets-sheet";

const AllBets = lazyPart(() => import("./all-bets"));
const HighWins = lazyPart(() => import("./high-wins"));

/**
 * The player's own bets, everybody's, the highest wins, and the game's statistics. A new bet appears in them when the
 * game has been rendered: its first frames do not wait for them.
 */
export default function BetTabs({ rounds, inPlay = null, ...rest }: MyBetsProps) {
  return <LateTabs rounds={useDeferredValue(rounds)} inPlay={useDeferredValue(inPlay)} {...rest} />;
}

const LateTabs = memo((props: MyBetsProps) => {
  const { game } = props;
  const [tab, setTab] = useState("mine");
  const { extraTab } = game;
  const isPhone = useMatches(PHONE);
  return (
    <Tabs value={tab} onValueChange={setTab} className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <TabsList aria-label="Bets" className="max-w-[560px] overflow-x-auto">
        <Trigger value="mine">My bets</Trigger>
        <Trigger value="all">All bets</Trigger>
        <Trigger value="high">High wins</Trigger>
        {extraTab && <Trigger value={extraTab.value}>{extraTab.label}</Trigger>}
      </TabsList>
      <TabsContent value="mine">
        <MyBets {...props} />
      </TabsContent>
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
      {isPhone && <MyBetsSheet {...props} />}
    </Tabs>
  );
});

function Trigger({ value, children }: { value: string; children: string }) {
  return (
    <TabsTrigger value={value} className="whitespace-nowrap max-sm:px-1.5 max-sm:text-13">
      {children}
    </TabsTrigger>
  );
}

/** A tab whose code is loaded when it is first shown; until then it takes about the height of its content. */
function Part({ value, children }: { value: string; children: ReactNode }) {
  return (
    <TabsContent value={value}>
      <LatePart title="This list could not be loaded" className="h-[480px]">
        {children}
      </LatePart>
    </TabsContent>
  );
}
