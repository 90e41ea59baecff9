import type { ReactNode } from "react";

/** Settings below each other. */
export function SettingGroup({ children }: { children: ReactNode }) {
  return <div className="divide-y divide-line">{children}</div>;
}

/** A control, and what it does. */
export function Setting({ note, children }: { note: ReactNode; children: ReactNode }) {
  return (
    <div className="grid gap-1 py-4 first:pt-0 last:pb-0">
      {children}
      <p className="max-w-[72ch] text-pretty text-13 text-ink-3">{note}</p>
    </div>
  );
}

/** A setting's name in front of a control that has none of its own to show. */
export function NamedControl({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex min-h-[44px] flex-wrap items-center justify-between gap-x-4 gap-y-1">
      <span className="text-13 font-medium text-ink-2">{name}</span>
      {children}
    </div>
  );
}

/** Said of the settings that the server does not know. */
export function OfThisBrowser() {
  return (
    <p className="mb-4 text-pretty text-14 text-ink-2">
      These settings are kept in this browser and hold for it only. Your other devices have their own.
    </p>
  );
}
