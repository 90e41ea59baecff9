// Adds a note about a player.

import { addNote, type PlayerRef } from "../api/admin";
import { DecisionDialog } from "./decision-dialog";
import { ReasonField, useReason } from "./reason-field";
import { useDecision, useIdempotentCall } from "./use-decision";

const NOTE_REQUIRED = "Please write the note";

type NoteDialogProps = {
  user: PlayerRef;
  onCancel(): void;
  onDone(): void;
  onConflict(): void;
  onUnsure(): void;
};

export function NoteDialog({ user, onCancel, ...outcomes }: NoteDialogProps) {
  const { isBusy, decide } = useDecision();
  const send = useIdempotentCall((note: { text: string }, key) => addNote(user.id, note, key));
  const note = useReason(
    NOTE_REQUIRED,
    (text) =>
      void decide(send({ text }), {
        success: () => "The note was added",
        fallback: "Failed to add the note",
        ...outcomes,
      }),
  );
  return (
    <DecisionDialog
      title="Add Note"
      description={`Other administrators see it on the timeline of ${user.username}, with your name. It cannot be changed or removed.`}
      confirmLabel="Add Note"
      initialFocus={note.focus}
      isBusy={isBusy}
      onCancel={onCancel}
      onConfirm={note.submit}
    >
      <ReasonField label="Note" hint="It stays for good, so name nobody else and nothing private." {...note.field} />
    </DecisionDialog>
  );
}
