import { Download } from "lucide-react";
import { useState } from "react";
import { Button, Field, Input, Panel, Select } from "@/components";
import type { GameType } from "@/games/rounds/api";
import { ledgerAddress, problemOf, roundsAddress } from "./export-address";
import { dateOf } from "./times";

const ALL = "all";
/** By default the last thirty days. */
const DEFAULT_SPAN_MS = 29 * 86_400_000;

/** Downloads of rounds and ledger entries for a spreadsheet. */
export function Exports({ games }: { games: readonly { value: GameType; label: string }[] }) {
  const [now] = useState(() => Date.now());
  const [dates, setDates] = useState({ from: dateOf(now - DEFAULT_SPAN_MS), to: dateOf(now) });
  const [game, setGame] = useState<string>(ALL);
  const problem = problemOf(dates);
  return (
    <Panel title="Download as CSV">
      <div className="grid gap-4">
        <p className="max-w-[72ch] text-13 text-ink-2">
          Rounds have stake, payout, result, client seed, nonce and the hash of the server seed, and the server seed
          itself once it is revealed, so that anybody can verify them. A file has at most 100,000 rows: choose a shorter
          time for more.
        </p>
        <div className="grid gap-3 sm:grid-cols-3">
          <Field label="From" error={problem ?? undefined}>
            {(ids) => (
              <Input
                {...ids}
                type="date"
                value={dates.from}
                onChange={(event) => setDates({ ...dates, from: event.target.value })}
              />
            )}
          </Field>
          <Field label="To">
            {(ids) => (
              <Input
                {...ids}
                type="date"
                value={dates.to}
                onChange={(event) => setDates({ ...dates, to: event.target.value })}
              />
            )}
          </Field>
          <Field label="Rounds of">
            {(ids) => (
              <Select
                {...ids}
                label="Rounds of"
                value={game}
                onValueChange={setGame}
                options={[{ value: ALL, label: "All games" }, ...games]}
              />
            )}
          </Field>
        </div>
        <div className="flex flex-wrap gap-3">
          <DownloadLink
            label="Rounds"
            address={problem === null ? roundsAddress(dates, game === ALL ? null : (game as GameType)) : null}
          />
          <DownloadLink label="Ledger" address={problem === null ? ledgerAddress(dates) : null} />
        </div>
      </div>
    </Panel>
  );
}

/** A link that is a disabled button while the dates are wrong. */
function DownloadLink({ label, address }: { label: string; address: string | null }) {
  const content = (
    <>
      <Download aria-hidden className="size-4" />
      {label} (CSV)
    </>
  );
  if (address === null) return <Button disabled>{content}</Button>;
  return (
    <Button asChild>
      <a href={address} download>
        {content}
      </a>
    </Button>
  );
}
