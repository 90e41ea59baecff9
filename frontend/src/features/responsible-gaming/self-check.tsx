import { useState } from "react";
import { Checkbox, Panel } from "@/components";
import { counted } from "@/lib/format";

const SIGNS: readonly string[] = [
  "I have played longer, or with more money, than I meant to.",
  "I have tried to win back what I had lost.",
  "I have played with money that I needed for something else.",
  "I have borrowed money or sold something to play.",
  "I have hidden from others how much I play.",
  "I feel restless or irritable when I try to play less.",
  "I play to forget worries, or when I feel low.",
  "My sleep, work, studies or relationships have suffered.",
  "I have told myself that I would stop, and did not.",
];

/** Warning signs to tick; nothing of it leaves the page. */
export function SelfCheck() {
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set());
  function toggle(sign: string, isTicked: boolean) {
    const next = new Set(ticked);
    if (isTicked) next.add(sign);
    else next.delete(sign);
    setTicked(next);
  }
  return (
    <Panel title="Warning signs">
      <div className="grid gap-4 text-14 text-ink-2">
        <p className="max-w-[76ch] text-pretty">
          Think of the last twelve months, and tick what is true for you. Your answers stay on this page: they are
          neither sent nor stored.
        </p>
        <fieldset className="grid gap-4">
          <legend className="sr-only">Warning signs</legend>
          {SIGNS.map((sign) => (
            <Checkbox key={sign} checked={ticked.has(sign)} onCheckedChange={(isTicked) => toggle(sign, isTicked)}>
              {sign}
            </Checkbox>
          ))}
        </fieldset>
        <p role="status" className="max-w-[76ch] text-pretty font-semibold text-ink">
          {adviceOf(ticked.size)}
        </p>
      </div>
    </Panel>
  );
}

/** What to do about so many signs. */
export function adviceOf(count: number): string {
  if (count === 0) return "";
  const found = counted(count, "warning sign");
  if (count <= 2) return `${found}. Set limits that you are comfortable with, and check again in a month.`;
  return `${found}. Consider excluding yourself, and talk to one of the organisations below. It is free and confidential.`;
}
