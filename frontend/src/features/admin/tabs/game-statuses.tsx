// Which games are open, paused and announced, and the way to change it.

import { useState } from "react";
import { Badge, Button, Panel } from "@/components";
import type { GameDefinition, GameStatus } from "@/games/definition";
import { useGameStatuses } from "@/games/game-status";
import { GAMES } from "@/games/registry";
import { GameStatusDialog } from "../decisions/game-status-dialog";
import { type Column, focusRecord, RecordTable } from "../lists/record-list";
import { GAME_STATUS_WORDS } from "../lists/wording";

const TONES = { open: "win", paused: "notice", announced: "neutral" } as const satisfies Record<GameStatus, string>;

function columnsFor(statusOf: (game: GameDefinition) => GameStatus, choose: (game: GameDefinition) => void): Column<GameDefinition>[] {
  return [
    { name: "Game", cell: (game) => game.reportLabel },
    { name: "Status", cell: (game) => <Badge tone={TONES[statusOf(game)]}>{GAME_STATUS_WORDS[statusOf(game)]}</Badge> },
    {
      name: "Actions",
      cell: (game) => (
        <Button size="small" aria-label={`Change the status of ${game.reportLabel}`} onClick={() => choose(game)}>
          Change
        </Button>
      ),
    },
  ];
}

export function GameStatusPanel() {
  const { statusOf, refresh } = useGameStatuses();
  const [chosen, setChosen] = useState<GameDefinition | null>(null);
  /** Whatever came of it, what is shown next is what the server has. */
  function close() {
    setChosen(null);
    void refresh();
    if (chosen) focusRecord(chosen.id);
  }
  return (
    <Panel title="Games">
      <RecordTable label="Games" columns={columnsFor(statusOf, setChosen)} rows={GAMES} keyOf={(game) => game.id} />
      {chosen && <GameStatusDialog game={chosen} status={statusOf(chosen)} onCancel={() => setChosen(null)} onDone={close} onConflict={close} onUnsure={close} />}
    </Panel>
  );
}
