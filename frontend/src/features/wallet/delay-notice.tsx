import { Clock } from "lucide-react";
import { useQuery } from "@/api/hooks";
import { formatDateTime } from "@/lib/format";
import { useSettled } from "@/lib/use-settled";
import { delayReasonsText } from "@/lib/withdrawal-delay";

const TYPING_PAUSE_MS = 400;

type DelayNoticeProps = { currency: string; walletAddress: string };

/** Says before the request when the withdrawal could be processed, and why not at once. */
export function DelayNotice({ currency, walletAddress }: DelayNoticeProps) {
  const address = useSettled(walletAddress.trim(), TYPING_PAUSE_MS);
  const query = address === "" ? { currency } : { currency, walletAddress: address };
  const { data } = useQuery("/api/withdraw-requests/delay", { params: { query } }, { keepPreviousData: true });
  const payableFrom = data?.payableFrom ?? null;
  return (
    <div role="status">
      {data !== undefined && payableFrom !== null && (
        <p className="flex gap-2 rounded-control bg-well p-4 text-14 text-ink-2">
          <Clock aria-hidden className="mt-0.5 size-4 shrink-0 text-notice" />
          <span>
            <strong className="font-semibold text-ink">Can be approved from {formatDateTime(payableFrom)}</strong>,
            because {delayReasonsText(data.delayReasons)}. Until it is approved, you can cancel it.
          </span>
        </p>
      )}
    </div>
  );
}
