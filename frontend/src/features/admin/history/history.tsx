// What happened with a payment or a withdrawal, oldest first.

import { Amount, EmptyState, Panel } from "@/components";
import { ExactTime } from "../lists/cells";

/** Something that happened, in words. */
export type Happening = {
  at: string;
  what: string;
  /** Who did it: a user's name, "Provider" or "Automatic". */
  by: string;
  /** What else is known of it; empty for nothing. */
  note: string;
  /** The change of the player's balance; null if it did not change the balance. */
  changeCents: number | null;
};

export const PROVIDER = "Provider";
export const AUTOMATIC = "Automatic";

type Part = string | null | undefined | false;
/** Those parts of a note that there are. */
export const noteOf = (...parts: readonly Part[]): string => parts.filter(Boolean).join(" · ");

export const happening = (
  at: string,
  by: string,
  what: string,
  note = "",
  changeCents: number | null = null,
): Happening => ({ at, what, by, note, changeCents });

/** In the order of time; what happened at once stays in its order. */
export const inOrder = (happenings: readonly (Happening | null)[]): Happening[] =>
  happenings
    .filter((one) => one !== null)
    // All times have the same form.
    .toSorted((one, other) => (one.at < other.at ? -1 : Number(one.at > other.at)));

export function History({ of, happenings }: { of: string; happenings: readonly Happening[] }) {
  return (
    <Panel title="History">
      {happenings.length === 0 ? (
        <EmptyState title="Nothing is recorded yet" />
      ) : (
        <ol aria-label={`History of ${of}`} className="divide-y divide-line">
          {happenings.map((one, position) => (
            // oxlint-disable-next-line react/no-array-index-key -- items have no ID, and no state
            <Item key={position} happening={one} />
          ))}
        </ol>
      )}
    </Panel>
  );
}

function Item({ happening: { at, what, by, note, changeCents } }: { happening: Happening }) {
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] items-baseline gap-x-4 gap-y-0.5 py-2.5 lg:grid-cols-[230px_140px_minmax(0,1fr)_auto]">
      <p className="text-13 text-ink-2 max-lg:order-2">
        <ExactTime iso={at} />
      </p>
      <p className="min-w-0 text-13 text-ink-2 [overflow-wrap:anywhere] max-lg:order-3 max-lg:text-right">
        <span className="sr-only">By: </span>
        {by}
      </p>
      <div className="min-w-0 text-14 [overflow-wrap:anywhere] max-lg:order-1">
        <p className="font-medium">{what}</p>
        {note !== "" && <p className="max-w-[90ch] text-13 text-ink-3">{note}</p>}
      </div>
      <p className="text-right text-14 font-semibold max-lg:order-1">
        {changeCents !== null && <Amount cents={changeCents} signed />}
      </p>
    </li>
  );
}
