// What is not a list, with its states: loading, failed, or shown.

import type { ReactNode } from "react";
import { errorMessage } from "@/api/client";
import { ErrorState } from "@/components";
import { ListSkeleton } from "./record-list";

type LoadedProps<T> = {
  state: { data: T | undefined; error?: unknown; mutate(): Promise<unknown> };
  what: string;
  children(data: T): ReactNode;
};

/** Shows data once it is there. `what` is its name in the middle of a sentence. */
export function Loaded<T>({ state, what, children }: LoadedProps<T>) {
  if (state.data !== undefined) return children(state.data);
  if (state.error === undefined) return <ListSkeleton label={`Loading ${what}`} />;
  return (
    <ErrorState
      title={`Error loading ${what}`}
      description={errorMessage(state.error, "Please check your connection and try again.")}
      onRetry={() => void state.mutate()}
    />
  );
}
