// Opens, pauses or announces a game.

import { useState } from "react";
import { SegmentedControl } from "@/components";
import type { GameDefinition, GameStatus } from "@/games/definition";
import type { StatusChange } from "@/games/status-api";
import { setGameStatus } from "../api/game-status";
import { GAME_STATUS_WORDS } from "../lists/wording";
import { DecisionDialog, Facts } from "./decision-dialog";
import { ReasonField, useReason } from "./reason-field";
import { STATUS_REASON_REQUIRED } from "./rules";
import { useDecision, useIdempotentCall } from "./use-decision";

const OPTIONS = (["open", "paused", "announced"] as const).map((value) => ({ value, label: GAME_STATUS_WORDS[value] }));

const EFFECTS: Record<GameStatus, string> = {
  open: "It is in the menus, and rounds can be started.",
  paused: "It stays in the menus, but no round can be started. Rounds in play can be finished.",
  announced: "It leaves the menus for Coming Soon, and no round can be started. Rounds in play can be finished.",
};

type GameStatusDialogProps = {
  game: GameDefinition;
  status: GameStatus;
  onCancel(): void;
  onDone(): void;
  onConflict(): void;
  onUnsure(): void;
};

export function GameStatusDialog({ game, status, onCancel, ...outcomes }: GameStatusDialogProps) {
  const [next, setNext] = useState<GameStatus>(status === "open" ? "paused" : "open");
  const { isBusy, decide } = useDecision();
  const send = useIdempotentCall((change: StatusChange, key) => setGameStatus(game.wire.name, change, key));
  const reason = useReason(STATUS_REASON_REQUIRED, (text) => {
    void decide(send({ status: next, reason: text }), {
      success: () => `The status of ${game.reportLabel} is now ${GAME_STATUS_WORDS[next]}`,
      fallback: "Failed to change the game's status",
      ...outcomes,
    });
  });
  return (
    <DecisionDialog
      title={`Status of ${game.reportLabel}`}
      description="It applies to all players at once and is recorded in the audit log under your name."
      confirmLabel={`Set to ${GAME_STATUS_WORDS[next]}`}
      isDestructive={next !== "open"}
      step={next}
      initialFocus={reason.focus}
      isBusy={isBusy}
      onCancel={onCancel}
      onConfirm={reason.submit}
    >
      <Facts facts={[["Current status", GAME_STATUS_WORDS[status]]]} />
      <SegmentedControl<GameStatus> label="New status" value={next} onValueChange={setNext} options={OPTIONS} />
      <p className="text-14 text-ink-2">{EFFECTS[next]}</p>
      <ReasonField label="Reason" {...reason.field} />
    </DecisionDialog>
  );
}
