import { CircleAlert, CircleCheck, CircleHelp } from "lucide-react";
import { HashLine } from "@/components";
import { cn } from "@/lib/class-names";
import { counted, formatDateTime } from "@/lib/format";
import type { CheckedWitness } from "./check-log";

/** Who else has signed the latest checkpoint, as far as it carries their signatures. */
export function Witnesses({ witnesses }: { witnesses: readonly CheckedWitness[] }) {
  return (
    <section className="grid gap-3">
      <h3 className="text-14 font-semibold text-ink">Witnesses</h3>
      {witnesses.length === 0 ? (
        <p className="text-14 text-ink-2">
          No witness signs this log. Whether others see the same log as you, you learn by comparing the root with
          theirs.
        </p>
      ) : (
        <>
          <p className="text-14 text-ink-2">
            A witness signs a checkpoint only if it continues all earlier ones, so whoever trusts the same witness sees
            the same log. Compare its key with the one that it publishes itself.
          </p>
          <ul className="grid gap-4">
            {witnesses.map((checked) => (
              <li key={checked.witness.verifierKey}>
                <HashLine
                  label={`Key of ${checked.witness.name}`}
                  value={checked.witness.verifierKey}
                  note={<State {...checked} />}
                />
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

function State({ witness: { cosignedSize, cosignedAt }, cosignature }: CheckedWitness) {
  if (cosignature.state === "valid") {
    const at = formatDateTime(new Date(cosignature.second * 1000).toISOString());
    return <Line Icon={CircleCheck} className="text-info" text={`Signed the latest checkpoint on ${at}.`} />;
  }
  if (cosignature.state === "invalid")
    return <Line Icon={CircleAlert} className="text-notice" text="The signature does not match the checkpoint." />;
  return (
    <Line
      Icon={CircleHelp}
      className="text-ink-2"
      text={
        cosignedSize === null || cosignedAt === null
          ? "Has not signed this log so far."
          : `Has not signed the latest checkpoint yet. According to the house it last signed ${counted(cosignedSize, "entry", "entries")}, on ${formatDateTime(cosignedAt)}.`
      }
    />
  );
}

/** In words, symbol and colour. */
function Line({ Icon, className, text }: { Icon: typeof CircleCheck; className: string; text: string }) {
  return (
    <span className={cn("flex items-start gap-2 text-14", className)}>
      <Icon aria-hidden className="mt-0.5 size-4 shrink-0" />
      {text}
    </span>
  );
}
