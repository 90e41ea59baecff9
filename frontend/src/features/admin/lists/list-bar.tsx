// The bar above a list: search, filters, reload and CSV export.

import { Download, RefreshCw, SlidersHorizontal } from "lucide-react";
import { type MouseEvent, type ReactNode, useId, useState } from "react";
import { errorMessage } from "@/api/client";
import { StepUpCancelled, withStepUp } from "@/api/step-up";
import { Badge, Button, Input, Select } from "@/components";
import { cn } from "@/lib/class-names";
import { formatClock } from "@/lib/zoned-time";
import { requireStepUp } from "../api/admin";
import { exportAddress } from "../api/admin-pages";
import { showError } from "../decisions/use-decision";
import { IfPermitted } from "../permissions";
import { SavedFilters } from "./saved-filters-menu";
import { useAdminView } from "./url-state";

type ListBarProps = {
  noun: string;
  /** The list whose CSV export is offered, with its filter. */
  list?: string;
  query?: string;
  isLoading: boolean;
  onRefresh(): void;
  /** Further filters, which are shown on request, and how many of them are in use. */
  more?: { inUse: number; filters: ReactNode };
  /** The list's name for the saved filters; there are none without it. */
  savedAs?: string;
  children?: ReactNode;
};

export function ListBar({ noun, list, query = "", isLoading, onRefresh, more, savedAs, children }: ListBarProps) {
  const [isOpen, setOpen] = useState(more !== undefined && more.inUse > 0);
  const id = useId();
  return (
    <div className="mb-3 grid gap-3">
      <div className="flex flex-wrap items-center gap-2 sm:gap-3">
        {children}
        {more !== undefined && (
          <Button aria-expanded={isOpen} aria-controls={isOpen ? id : undefined} onClick={() => setOpen(!isOpen)}>
            <SlidersHorizontal aria-hidden className="size-4" />
            Filters
            {more.inUse > 0 && (
              <Badge tone="brass">
                {more.inUse}
                <span className="sr-only"> in use</span>
              </Badge>
            )}
          </Button>
        )}
        {savedAs !== undefined && <SavedFilters list={savedAs} noun={noun} />}
        <div className="ml-auto flex gap-2">
          <Button onClick={onRefresh} aria-busy={isLoading || undefined} aria-label={`Refresh ${noun}`}>
            <RefreshCw aria-hidden className={cn("size-4", isLoading && "animate-spin")} />
            <span className="max-sm:hidden">Refresh</span>
          </Button>
          {list !== undefined && <Export noun={noun} address={exportAddress(list, query)} />}
        </div>
      </div>
      {more !== undefined && isOpen && (
        <div id={id} className="flex flex-wrap items-start gap-x-6 gap-y-3 rounded-control bg-well p-3">
          {more.filters}
        </div>
      )}
    </div>
  );
}

/** When a list was last known to be as it is shown. */
export function UpdatedAt({ atMs }: { atMs: number | null }) {
  if (atMs === null) return null;
  return (
    <p className="self-center whitespace-nowrap text-12 text-ink-3">
      Updated <time dateTime={new Date(atMs).toISOString()}>{formatClock(atMs)}</time>
    </p>
  );
}

function Export({ noun, address }: { noun: string; address: string }) {
  async function download(event: MouseEvent) {
    event.preventDefault();
    try {
      // A link would save a refusal as the file, so step-up is checked first.
      await withStepUp(requireStepUp);
    } catch (error) {
      if (!(error instanceof StepUpCancelled))
        showError(errorMessage(error, "The list could not be exported. Please try again."));
      return;
    }
    const link = document.createElement("a");
    link.href = address;
    link.download = "";
    link.click();
  }
  return (
    <IfPermitted permission="export">
      <Button asChild>
        <a href={address} download onClick={(event) => void download(event)} aria-label={`Export CSV of ${noun}`}>
          <Download aria-hidden className="size-4" />
          <span className="max-sm:hidden">Export CSV</span>
        </a>
      </Button>
    </IfPermitted>
  );
}

/** Resets the filters if they match nothing. */
export function ClearFilters() {
  const { tab, openTab } = useAdminView();
  return <Button onClick={() => openTab(tab)}>Clear Filters</Button>;
}

type SearchBoxProps = { label: string; search: { text: string; setText(text: string): void }; isNumber?: boolean };

export function SearchBox({ label, search, isNumber = false }: SearchBoxProps) {
  return (
    <Input
      type="search"
      aria-label={label}
      placeholder={`${label}…`}
      maxLength={100}
      inputMode={isNumber ? "numeric" : "search"}
      value={search.text}
      onChange={(event) => search.setText(event.target.value)}
      className={cn("max-sm:w-full sm:flex-1", isNumber ? "sm:max-w-[180px]" : "sm:min-w-[180px] sm:max-w-[360px]")}
    />
  );
}

type FilterProps<V extends string> = {
  label: string;
  value: V;
  onChoose(value: V): void;
  options: readonly { value: V; label: string }[];
};

export function Filter<V extends string>({ label, value, onChoose, options }: FilterProps<V>) {
  return (
    <Select
      label={label}
      value={value}
      onValueChange={(next) => onChoose(next as V)}
      options={[...options]}
      className="whitespace-nowrap max-sm:min-w-[calc(50%-4px)] max-sm:flex-1"
    />
  );
}
