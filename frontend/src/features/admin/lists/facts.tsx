// Facts about one thing, one below the other.

import type { ReactNode } from "react";
import { CopyButton } from "@/components";
import { ExactTime } from "./cells";

/** For [`Fact`]s. */
export const FactList = ({ children }: { children: ReactNode }) => <dl className="grid gap-3 text-14">{children}</dl>;

/** A fact. A `value` is a text to be copied, which the children explain. */
export function Fact({ name, value, children }: { name: string; value?: string; children: ReactNode }) {
  return (
    <div className="grid gap-x-6 border-t border-line pt-3 sm:grid-cols-[200px_minmax(0,1fr)]">
      <dt className="text-ink-3">{name}</dt>
      <dd className="min-w-0">
        {value !== undefined && (
          <span className="flex items-center gap-2">
            <code className="min-w-0 break-all font-mono text-13">{value}</code>
            <span className="-my-3">
              <CopyButton text={value} label={`Copy: ${name}`} />
            </span>
          </span>
        )}
        <span className={value === undefined ? "" : "text-13 text-ink-3"}>{children}</span>
      </dd>
    </div>
  );
}

/** A time among figures. */
export const Moment = ({ iso }: { iso: string }) => (
  <span className="block text-14 leading-snug">
    <ExactTime iso={iso} />
  </span>
);
