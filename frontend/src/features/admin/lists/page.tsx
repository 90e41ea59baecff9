// The frame of a page about one thing: read again while somebody looks at it, and what is shown if there is none.

import type { ReactNode } from "react";
import useSWR from "swr";
import { EmptyState, LinkButton, PageHeader, PageTitle, Panel } from "@/components";
import { useIsPresent } from "../live/presence";
import { Loaded } from "./loaded";

/** The age from which a page is read again. */
const REFRESH_MS = 30_000;

/** Reads what a page is about. While nobody is there, reading again would keep the session alive. */
export function usePage<T>(key: readonly [string, ...unknown[]] | null, read: () => Promise<T | null>) {
  const isPresent = useIsPresent();
  return useSWR(key, read, { refreshInterval: isPresent ? REFRESH_MS : 0 });
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
