// The status of each game, and how to change it.

import { useEffect, useState } from "react";
import { Badge, Button, Panel } from "@/components";
import type { GameDefinition, GameStatus } from "@/games/definition";
import { useGameStatuses } from "@/games/game-status";
import { GAMES } from "@/games/registry";
import { GameStatusDialog } from "../decisions/game-status-dialog";
import { focusRecord } from "../lists/record-list";
import { GAME_STATUS_WORDS } from "../lists/wording";
import { IfPermitted } from "../permissions";

const TONES = { open: "info", paused: "notice", announced: "neutral" } as const satisfies Record<GameStatus, string>;

export function GameStatusPanel() {
  const { statusOf, refresh } = useGameStatuses();
  const [chosen, setChosen] = useState<GameDefinition | null>(null);
  // A colleague may have changed one. To the rest of the app another tab of the panel is the same screen.
  useEffect(() => void refresh(), [refresh]);
  /** Whatever the outcome, reload what the server has. */
  function close() {
    setChosen(null);
    void refresh();
    if (chosen) focusRecord(chosen.id);
  }
  return (
    <Panel title="Games">
      <ul aria-label="Games" className="grid gap-x-10 sm:grid-cols-2 xl:grid-cols-3">
        {GAMES.map((game) => (
          <li
            key={game.id}
            data-record={game.id}
            tabIndex={-1}
            className="flex items-center gap-3 border-t border-line py-1.5 text-14"
          >
            <span className="min-w-0 flex-1 truncate font-semibold">{game.reportLabel}</span>
            <Badge tone={TONES[statusOf(game)]}>{GAME_STATUS_WORDS[statusOf(game)]}</Badge>
            <IfPermitted permission="change_games">
              <Button
                size="small"
                aria-label={`Change the status of ${game.reportLabel}`}
                onClick={() => setChosen(game)}
              >
                Change
              </Button>
            </IfPermitted>
          </li>
        ))}
      </ul>
      {chosen && (
        <GameStatusDialog
          game={chosen}
          status={statusOf(chosen)}
          onCancel={() => setChosen(null)}
          onDone={close}
          onConflict={close}
          onUnsure={close}
        />
      )}
    </Panel>
  );
}
