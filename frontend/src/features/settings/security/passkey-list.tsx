import type { Passkey } from "@/api/second-factor";
import { Button } from "@/components";
import { Ago } from "@/components/ago";
import { formatDateTime } from "@/lib/format";

type PasskeyListProps = {
  passkeys: readonly Passkey[];
  /** The one that is being removed. */
  removing: string | undefined;
  /** Without it, none can be removed. */
  onRemove: ((passkey: Passkey) => void) | undefined;
};

export function PasskeyList({ passkeys, removing, onRemove }: PasskeyListProps) {
  return (
    <ul aria-label="Passkeys" className="divide-y divide-line">
      {passkeys.map((passkey) => (
        <li key={passkey.id} className="flex items-center justify-between gap-4 py-3 first:pt-0 last:pb-0">
          <div className="grid min-w-0 gap-0.5">
            <p className="text-14 font-medium [overflow-wrap:anywhere]">{passkey.name}</p>
            <p className="text-13 text-ink-2">
              {passkey.lastUsedAt === null ? (
                "Not used yet"
              ) : (
                <>
                  Last used <Ago iso={passkey.lastUsedAt} />
                </>
              )}
            </p>
            <p className="text-13 text-ink-3">Added {formatDateTime(passkey.createdAt)}</p>
          </div>
          {onRemove && (
            <Button
              size="small"
              loading={removing === passkey.id}
              onClick={() => onRemove(passkey)}
              aria-label={`Remove the passkey ${passkey.name}`}
            >
              Remove
            </Button>
          )}
        </li>
      ))}
    </ul>
  );
}
