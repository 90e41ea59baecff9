import { cn } from "@/lib/class-names";

/** A spinner; without a label it is decorative. */
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

/** Placeholder for content that is loading. */
export function Skeleton({ className }: { className?: string }) {
  return <div aria-hidden className={cn("skeleton", className)} />;
}
