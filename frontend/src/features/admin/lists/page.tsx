// The frame of a page about one thing: read again while somebody looks at it, and what is shown if there is none.

import type { ReactNode } from "react";
import useSWR, { type KeyedMutator } from "swr";
import { EmptyState, LinkButton, PageHeader, PageTitle, Panel } from "@/components";
import { useRefreshWaiting } from "../approvals/use-approval";
import { useIsPresent } from "../live/presence";
import { Loaded } from "./loaded";
import { focusRecord, STANDING } from "./record-list";

/** The age from which a page is read again. */
const REFRESH_MS = 30_000;

/** Reads what a page is about. While nobody is there, reading again would keep the session alive. */
export function usePage<T>(key: readonly [string, ...unknown[]] | null, read: () => Promise<T | null>) {
  const isPresent = useIsPresent();
  return useSWR(key, read, { refreshInterval: isPresent ? REFRESH_MS : 0 });
}

/** Ends an act on a page: with what its answer changes in the page's data, and the record that the focus belongs to. */
export type Settle<T> = (change?: (known: T) => T, record?: string) => Promise<void>;

/**
 * What the answer of an act says is shown at once, so that nothing is offered twice if reading the page again fails.
 * The act's button may be gone before or after that.
 */
export function useSettle<T>({ mutate }: { mutate: KeyedMutator<T | null> }): Settle<T> {
  const refreshWaiting = useRefreshWaiting();
  return async (change = (known) => known, record = STANDING) => {
    refreshWaiting();
    const isReadAgain = mutate((known) => (known ? change(known) : known));
    focusRecord(record);
    await isReadAgain;
    focusRecord(record);
  };
}

/** Says how things stand. It gets the focus after an act whose button is gone. */
export function Standing({ children }: { children: ReactNode }) {
  return (
    <div
      role="group"
      aria-label="Status"
      data-record={STANDING}
      tabIndex={-1}
      className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1 text-14"
    >
      {children}
    </div>
  );
}

type ThingProps<T> = {
  /** What it is called, as a title: "Payment". */
  name: string;
  id: string;
  /** Why there may be none with this ID. */
  hint: string;
  /** Where all of them are. */
  all: string;
  state: { data: T | null | undefined; error?: unknown; mutate(): Promise<unknown> };
  /** Whether the ID cannot be one. */
  isUnknown?: boolean;
  children(found: T): ReactNode;
};

export function ThingPage<T>({ state, isUnknown = false, children, ...texts }: ThingProps<T>) {
  return (
    <div className="mx-auto grid w-full max-w-[1480px] gap-4 p-4 max-lg:p-3 lg:p-5">
      <PageTitle title={texts.name} />
      {isUnknown ? (
        <NotThere {...texts} />
      ) : (
        <Loaded state={state} what={`the ${texts.name.toLowerCase()}`}>
          {(found) => (found === null ? <NotThere {...texts} /> : children(found))}
        </Loaded>
      )}
    </div>
  );
}

function NotThere({ name, id, hint, all }: Pick<ThingProps<unknown>, "name" | "id" | "hint" | "all">) {
  const label = `All ${name.toLowerCase()}s`;
  return (
    <>
      <PageHeader title={name} backTo={{ to: all, label }} />
      <Panel>
        <EmptyState
          title={`There is no ${name.toLowerCase()} with the ID ${id}`}
          action={<LinkButton to={all}>{`All ${name}s`}</LinkButton>}
        >
          {hint}
        </EmptyState>
      </Panel>
    </>
  );
}
