import { useEffect, useState } from "react";
import useSWR from "swr";
import { FAIRNESS, REVEALED_SEED } from "@/api/trust/seed-keys";
import { fetchFairness } from "@/api/trust/seed-calls";
import { cn } from "@/lib/class-names";

/**
 * Fetched once: the hash only changes with a rotation, which updates it. A dialog that is opened just afterwards still
 * fetches the seeds for itself.
 */
const ONCE = {
  revalidateIfStale: false,
  dedupingInterval: 0,
} as const;
/** How long a revealed seed stays: long enough to see it after the dialog in which it was revealed. */
const REVEALED_MS = 6000;

/**
 * A row of 64 characters as a picture, which is repeated: browsers, and whoever measures a page, would take this much
 * text for its main text.
 */
const rowOf = (text: string) =>
  `url("data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' width='800' height='25' fill='%23fff' font-family='monospace' font-size='14'%3E%3Ctext y='17' textLength='800'%3E${text}%3C/text%3E%3C/svg%3E")`;

/**
 * The committed hash of the server seed in use, very faint behind a stage. When the seed is revealed, it turns over
 * once to show it, and then shows the next hash.
 */
export default function WatermarkPicture() {
  const { data } = useSWR(FAIRNESS, fetchFairness, ONCE);
  const { data: revealed = null } = useSWR<string | null>(REVEALED_SEED, null);
  // A seed that was revealed before this stage was opened is not news.
  const [seenSeed, setSeenSeed] = useState(revealed);
  const isNew = revealed !== null && revealed !== seenSeed;
  useEffect(() => {
    if (!isNew) return undefined;
    const timer = setTimeout(() => setSeenSeed(revealed), REVEALED_MS);
    return () => clearTimeout(timer);
  }, [isNew, revealed]);
  const text = isNew ? revealed : data?.serverSeedHash;
  if (text === undefined || text === null) return null;
  return (
    <div aria-hidden data-testid="watermark" className="watermark">
      <p key={text} style={{ backgroundImage: rowOf(text) }} className={cn(isNew && "watermark-turned")} />
    </div>
  );
}
