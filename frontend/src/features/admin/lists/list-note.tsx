import { Button } from "@/components";

type ListNoteProps = {
  /** What there is to say; null for nothing. */
  text: string | null;
  /** The button beside it. */
  action: string;
  onAct(): void;
};

/** Something to know about a list, above it, and what to do about it. It is read out when it appears. */
export function ListNote({ text, action, onAct }: ListNoteProps) {
  return (
    <div role="status" className="empty:hidden">
      {text !== null && (
        <p className="mb-3 flex flex-wrap items-center justify-between gap-x-4 gap-y-1 rounded-control bg-raised py-1 pl-4 pr-1 text-14">
          {text}
          <Button size="small" variant="ghost" onClick={onAct}>
            {action}
          </Button>
        </p>
      )}
    </div>
  );
}
