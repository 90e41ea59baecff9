import { useState } from "react";
import { Badge, Button, Panel, toast } from "@/components";
import { quarterText, useAnnouncedGames } from "@/games/announced";

const KEY = "glasshouse-notify";

function remembered(): string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(stored) ? stored.filter((name) => typeof name === "string") : [];
  } catch {
    return [];
  }
}

/** Returns false if the browser blocks storage. */
function remember(names: string[]): boolean {
  try {
    localStorage.setItem(KEY, JSON.stringify(names));
    return true;
  } catch {
    return false;
  }
}

/** The announced games. A notification request is only stored in this browser, and the toast says so. */
export function ComingSoonList() {
  const [requested, setRequested] = useState(remembered);
  const announced = useAnnouncedGames();
  function requestNotification(name: string) {
    const next = [...requested, name];
    setRequested(next);
    const isKept = remember(next);
    const description = isKept
      ? `This browser remembers that you are waiting for ${name}. We do not send email.`
      : `Your browser stores nothing for this site, so your request for ${name} is kept only until you leave.`;
    toast({ title: "Noted", description });
  }
  return (
    <Panel>
      <ul className="divide-y divide-line">
        {announced.map(({ id, fullName: name, tagline, expected }) => (
          <li key={id} className="flex items-center justify-between gap-4 py-4 first:pt-0 last:pb-0">
            <div className="grid min-w-0 gap-1">
              <p className="flex flex-wrap items-center gap-x-3 text-16 font-semibold">
                {name}
                {expected && <Badge>{quarterText(expected)}</Badge>}
              </p>
              <p className="text-14 text-ink-2">{tagline}</p>
            </div>
            <Button
              size="small"
              className="shrink-0"
              disabled={requested.includes(name)}
              onClick={() => requestNotification(name)}
              aria-label={`Get Notified: ${name}`}
            >
              {requested.includes(name) ? "Remembered" : "Get Notified"}
            </Button>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
