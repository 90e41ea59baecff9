import { useTrustStatus } from "@/api/trust/status";

/** Says what this browser cannot do, if anything. */
export function MemoryNote() {
  const { isPersistent, canVerify } = useTrustStatus();
  if (!canVerify)
    return (
      <p role="note" className="text-13 text-notice">
        This browser provides its cryptography only on https pages, so receipts and the public record are not verified.
      </p>
    );
  if (isPersistent) return null;
  return (
    <p role="note" className="text-13 text-notice">
      This browser does not let us store anything, perhaps because the window is private. What the house has shown and
      signed is forgotten when you close this page, so contradictions are only noticed until then.
    </p>
  );
}
