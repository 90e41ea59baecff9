import { formatZoned } from "@/lib/zoned-time";
import { relativeTime } from "@/lib/relative-time";
import { useNow } from "@/lib/use-now";

/** A relative time; the exact one is shown on hover. */
export function Ago({ iso }: { iso: string }) {
  const nowMs = useNow();
  return (
    <time dateTime={iso} title={formatZoned(iso)} className="text-ink-2">
      {relativeTime(iso, nowMs)}
    </time>
  );
}
