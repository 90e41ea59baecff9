// The table of a list: one line a record, or on narrow screens a card. A card has two or three lines if its columns have
// places on it, and otherwise a label above each value. What does not fit is in the details that a record can show.

import { ArrowDown, ArrowUp, Check, ChevronDown, ChevronRight } from "lucide-react";
import { Fragment, type KeyboardEvent, type ReactNode, useState } from "react";
import { Table, TableCell, TableHead } from "@/components";
import { cn } from "@/lib/class-names";

/** The order by a column, if the list can have it. */
export type ColumnSort = { direction: "ascending" | "descending" | null; onSort(): void };

/** Where a card has a column. What is in none of the places is only in the details. */
export type CardPlace = "title" | "value" | "note" | "state" | "actions";

export type Column<T> = {
  name: string;
  cell(row: T): ReactNode;
  isNumber?: boolean;
  sort?: ColumnSort | undefined;
  card?: CardPlace;
  /** On a card with labels, whether it has a line of its own. */
  isWide?: boolean;
  className?: string;
};

/** A name and a value; null for what this record does not have. */
export type Detail = readonly [name: string, value: ReactNode] | null;

export type RowSelection<T> = {
  isSelectable(row: T): boolean;
  isSelected(row: T): boolean;
  /** With Shift, all rows since the last one. */
  onSelect(row: T, isRange: boolean): void;
};

type RecordTableProps<T> = {
  label: string;
  columns: readonly Column<T>[];
  rows: readonly T[];
  keyOf(row: T): string | number;
  /** What a record is called, such as "request 7". */
  nameOf?(row: T): string;
  /** What the line leaves out or shortens. */
  detailsOf?(row: T): readonly Detail[];
  selection?: RowSelection<T> | undefined;
  /** Listeners of the element around the rows. */
  area?: object;
};

const PLACES: Readonly<Record<CardPlace, string>> = {
  title: "@max-[1000px]:col-start-2 @max-[1000px]:row-start-1 @max-[1000px]:font-medium",
  value: "@max-[1000px]:col-start-3 @max-[1000px]:row-start-1 @max-[1000px]:text-right",
  note: "@max-[1000px]:col-start-2 @max-[1000px]:row-start-2 @max-[1000px]:text-13",
  state: "@max-[1000px]:col-start-3 @max-[1000px]:row-start-2 @max-[1000px]:justify-self-end",
  actions: "@max-[1000px]:col-span-2 @max-[1000px]:col-start-2 @max-[1000px]:row-start-3 @max-[1000px]:pt-2",
};

const CARD =
  "@max-[1000px]:grid @max-[1000px]:grid-cols-[auto_minmax(0,1fr)_auto] @max-[1000px]:items-center @max-[1000px]:gap-x-3 @max-[1000px]:border-t @max-[1000px]:border-line @max-[1000px]:py-2";
const LABELLED_CARD =
  "@max-[1000px]:grid @max-[520px]:grid-cols-[0.85fr_1fr] @min-[520px]:@max-[1000px]:grid-cols-4 @max-[1000px]:gap-x-4 @max-[1000px]:gap-y-3 @max-[1000px]:border-t @max-[1000px]:border-line @max-[1000px]:py-4";
const LABELLED_CELL =
  "@max-[1000px]:block @max-[1000px]:before:mb-0.5 @max-[1000px]:before:block @max-[1000px]:before:text-12 @max-[1000px]:before:text-ink-3 @max-[1000px]:before:content-[attr(data-label)]";

/** Where a card has a column; the first one, with the buttons for the record itself, is at its side. */
function placeOf({ card, isWide }: { card?: CardPlace; isWide?: boolean }, index: number, isLabelled: boolean): string {
  if (isLabelled) return cn(LABELLED_CELL, isWide && "@max-[1000px]:col-span-2");
  if (index === 0) return "@max-[1000px]:row-span-3 @max-[1000px]:self-start";
  return card === undefined ? "@max-[1000px]:hidden" : PLACES[card];
}

// oxlint-disable jsx-a11y/no-redundant-roles, jsx-a11y/no-interactive-element-to-noninteractive-role -- browsers drop the table roles if CSS changes the layout
export function RecordTable<T>(props: RecordTableProps<T>) {
  const { label, columns, rows, keyOf, area } = props;
  const [opened, setOpened] = useState<ReadonlySet<string | number>>(new Set());
  function toggle(key: string | number) {
    const next = new Set(opened);
    if (!next.delete(key)) next.add(key);
    setOpened(next);
  }
  return (
    <div className="@container" {...area}>
      <Table role="table" aria-label={label} className="@max-[1000px]:block">
        <thead role="rowgroup" className="@max-[1000px]:sr-only">
          <tr role="row">
            {columns.map((column) => (
              <Heading key={column.name} {...column} />
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup" className="@max-[1000px]:block">
          {rows.map((row) => (
            <Record
              key={keyOf(row)}
              row={row}
              isOpened={opened.has(keyOf(row))}
              onToggle={() => toggle(keyOf(row))}
              {...props}
            />
          ))}
        </tbody>
      </Table>
    </div>
  );
}

type HeadingProps = Pick<Column<never>, "name" | "isNumber" | "sort" | "card">;

function Heading({ name, isNumber = false, sort, card }: HeadingProps) {
  const isRight = isNumber || card === "actions";
  return (
    <TableHead
      role="columnheader"
      // Without the name of the button in it.
      aria-label={sort === undefined ? undefined : name}
      aria-sort={sort?.direction ?? undefined}
      className={cn("top-14 z-10 whitespace-nowrap", isRight && "text-right")}
    >
      {sort === undefined ? name : <Sortable name={name} isRight={isRight} sort={sort} />}
    </TableHead>
  );
}

/** Cards have no headings to press; there the order is chosen above the list. */
function Sortable({ name, isRight, sort }: { name: string; isRight: boolean; sort: ColumnSort }) {
  const Arrow = sort.direction === "ascending" ? ArrowUp : ArrowDown;
  const isOn = sort.direction !== null;
  return (
    <span className="group relative">
      <span className={cn("inline-flex items-center gap-1", isRight && "flex-row-reverse", isOn && "text-ink")}>
        {name}
        <Arrow aria-hidden className={cn("size-3.5", !isOn && "opacity-0 group-hover:opacity-100")} />
      </span>
      <button
        type="button"
        aria-label={`Sort by ${name}`}
        onClick={sort.onSort}
        className="absolute -inset-x-2 -inset-y-2.5 rounded-control hover:bg-ink/5 @max-[1000px]:hidden"
      />
    </span>
  );
}

type RecordProps<T> = RecordTableProps<T> & { row: T; isOpened: boolean; onToggle(): void };

function Record<T>(props: RecordProps<T>) {
  const { row, columns, keyOf, detailsOf, isOpened, onToggle, selection } = props;
  const key = keyOf(row);
  const isSelected = selection?.isSelected(row) === true;
  const isLabelled = columns.every(({ card }) => card === undefined);
  /** Enter on the row itself, which the keys J and K lead to. */
  function onKeyDown(event: KeyboardEvent) {
    if (event.target !== event.currentTarget || event.key !== "Enter" || detailsOf === undefined) return;
    event.preventDefault();
    onToggle();
  }
  return (
    <Fragment>
      <tr
        role="row"
        data-record={key}
        tabIndex={-1}
        onKeyDown={onKeyDown}
        className={cn("scroll-mt-28 -outline-offset-2", isLabelled ? LABELLED_CARD : CARD, isSelected && "bg-raised")}
      >
        {columns.map((column, index) => (
          <TableCell
            key={column.name}
            role="cell"
            data-label={column.name}
            className={cn(
              "align-middle @min-[1000px]:whitespace-nowrap @max-[1000px]:min-w-0 @max-[1000px]:border-t-0 @max-[1000px]:p-0",
              detailsOf === undefined ? "@min-[1000px]:py-1.5" : "@min-[1000px]:h-12 @min-[1000px]:py-0.5",
              column.isNumber && "@min-[1000px]:text-right",
              placeOf(column, index, isLabelled),
              column.className,
            )}
          >
            {index === 0 && detailsOf !== undefined ? <Lead {...props}>{column.cell(row)}</Lead> : column.cell(row)}
          </TableCell>
        ))}
      </tr>
      {isOpened && detailsOf !== undefined && (
        <Details id={detailsId(key)} columns={columns.length} details={detailsOf(row)} />
      )}
    </Fragment>
  );
}

const detailsId = (key: string | number): string => `details-${key}`;

/** The first cell: what selects the record, and what shows its details. */
function Lead<T>(props: RecordProps<T> & { children: ReactNode }) {
  const { row, keyOf, nameOf = (of) => String(keyOf(of)), isOpened, onToggle, selection, children } = props;
  const Chevron = isOpened ? ChevronDown : ChevronRight;
  return (
    <span className="flex items-center @max-[1000px]:flex-col">
      {selection !== undefined && (
        <SelectBox
          label={`Select ${nameOf(row)}`}
          isDisabled={!selection.isSelectable(row)}
          isChecked={selection.isSelected(row)}
          onSelect={(isRange) => selection.onSelect(row, isRange)}
        />
      )}
      <button
        type="button"
        aria-expanded={isOpened}
        aria-controls={isOpened ? detailsId(keyOf(row)) : undefined}
        aria-label={`Details of ${nameOf(row)}`}
        onClick={onToggle}
        className="-ml-2 flex min-h-11 min-w-11 items-center gap-1 rounded-control px-2 text-ink-2 hover:bg-raised hover:text-ink @max-[1000px]:ml-0 @max-[1000px]:flex-col @max-[1000px]:justify-center @max-[1000px]:gap-0 @max-[1000px]:px-0 @max-[1000px]:text-12"
      >
        <Chevron aria-hidden className="size-4 shrink-0" />
        {children}
      </button>
    </span>
  );
}

type SelectBoxProps = { label: string; isDisabled: boolean; isChecked: boolean; onSelect(isRange: boolean): void };

function SelectBox({ label, isDisabled, isChecked, onSelect }: SelectBoxProps) {
  return (
    <label className="grid size-11 shrink-0 cursor-pointer place-items-center @min-[1000px]:-ml-3 has-disabled:cursor-not-allowed">
      <span className="relative grid size-5">
        <input
          type="checkbox"
          aria-label={label}
          disabled={isDisabled}
          checked={isChecked}
          onChange={(event) => onSelect(event.nativeEvent instanceof MouseEvent && event.nativeEvent.shiftKey)}
          className="size-5 cursor-pointer appearance-none rounded-chip border border-control bg-well checked:border-brass checked:bg-brass disabled:cursor-not-allowed disabled:opacity-40"
        />
        {isChecked && (
          <Check
            aria-hidden
            className="pointer-events-none absolute inset-0 m-auto size-4 text-on-brass"
            strokeWidth={3}
          />
        )}
      </span>
    </label>
  );
}

function Details({ id, columns, details }: { id: string; columns: number; details: readonly Detail[] }) {
  return (
    <tr role="row" id={id} className="@max-[1000px]:block">
      <td role="cell" colSpan={columns} className="pb-4 @max-[1000px]:block">
        <dl className="flex flex-wrap gap-x-8 gap-y-3 rounded-control bg-well p-4 text-14">
          {details.map(
            (detail) =>
              detail !== null && (
                <div key={detail[0]} className="min-w-0 max-w-full">
                  <dt className="text-12 text-ink-3">{detail[0]}</dt>
                  <dd className="max-w-[60ch] break-words">{detail[1]}</dd>
                </div>
              ),
          )}
        </dl>
      </td>
    </tr>
  );
}
