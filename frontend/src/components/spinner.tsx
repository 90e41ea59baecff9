import { cn } from "@/lib/class-names";

/** A turning ring; with a label it is announced, without one it only decorates. */
export function Spinner({ label }: { label?: string }) {
  const ring = (
    <span
      aria-hidden
      className="inline-block size-4 animate-spin rounded-full border-2 border-current border-t-transparent"
    />
  );
  if (label === undefined) return ring;
  return (
    <span role="status" className="inline-flex items-center gap-2 text-ink-2">
      {ring}
      {label}
    </span>
  );
}

/** Holds the place of something that is being loaded. */
export function Skeleton({ className }: { className?: string }) {
  return <div aria-hidden className={cn("animate-pulse rounded-control bg-raised", className)} />;
}
