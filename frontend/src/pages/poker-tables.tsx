import { useNavigate } from "react-router-dom";
import { Tabs, TabsContent, TabsList, TabsTrigger } from "@/components";
import { HeadsUpGame } from "@/features/heads-up";
import { PokerGame } from "@/features/poker";
import { usePokerTable } from "./use-poker-table";

type PokerTablesProps = { onVerifyRound(id: number): void; onOpenFairness(): void };

/** Both poker games, one at a time: each has its main action at the same place. */
export default function PokerTables(props: PokerTablesProps) {
  const table = usePokerTable();
  const navigate = useNavigate();
  return (
    <Tabs
      value={table}
      onValueChange={(next) => void navigate({ hash: next === "heads-up" ? "heads-up" : "" }, { replace: true })}
      className="grid grid-cols-[minmax(0,1fr)] gap-3 lg:gap-4"
    >
      <TabsList className="w-full max-w-[320px]">
        <TabsTrigger value="video">Video poker</TabsTrigger>
        <TabsTrigger value="heads-up">Heads-up</TabsTrigger>
      </TabsList>
      <TabsContent value="video">
        <PokerGame {...props} />
      </TabsContent>
      <TabsContent value="heads-up">
        <HeadsUpGame {...props} />
      </TabsContent>
    </Tabs>
  );
}
