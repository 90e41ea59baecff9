import { CircleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "./button";

/** Shown when there is nothing to list. */
export function EmptyState({ title, children, action }: { title: string; children?: ReactNode; action?: ReactNode }) {
  return (
    <div className="grid justify-items-start gap-3 py-6">
      <p className="text-16 font-semibold">{title}</p>
      {children !== undefined && <div className="max-w-[56ch] text-14 text-ink-2">{children}</div>}
      {action}
    </div>
  );
}

type ErrorStateProps = { title: string; description?: string; onRetry?(): void };

/** Shown when something could not be loaded. */
export function ErrorState({ title, description, onRetry }: ErrorStateProps) {
  return (
    <div role="alert" className="grid justify-items-start gap-3 py-6">
      <p className="flex items-center gap-2 text-16 font-semibold text-notice">
        <CircleAlert aria-hidden className="size-5 shrink-0" />
        {title}
      </p>
      {description !== undefined && <p className="text-14 text-ink-2">{description}</p>}
      {onRetry && <Button onClick={onRetry}>Try Again</Button>}
    </div>
  );
}
