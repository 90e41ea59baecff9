import type { ReactNode } from "react";
import { Table, TableCell, TableHead } from "@/components/table";
import { cn } from "@/lib/class-names";

/** The places of a row of two lines on a phone. */
const PLACES = {
  start: "max-sm:col-start-1 max-sm:row-span-2 max-sm:row-start-1 max-sm:self-center",
  startTop: "max-sm:col-start-1 max-sm:row-start-1",
  startBottom: "max-sm:col-start-1 max-sm:row-start-2 max-sm:text-12 max-sm:text-ink-3",
  middleTop: "max-sm:text-left max-sm:col-start-2 max-sm:row-start-1",
  middleBottom: "max-sm:text-left max-sm:col-start-2 max-sm:row-start-2 max-sm:text-12 max-sm:text-ink-3",
  endTop: "max-sm:col-start-3 max-sm:row-start-1",
  endBottom: "max-sm:col-start-3 max-sm:row-start-2 max-sm:text-12 max-sm:text-ink-3",
  action: "max-sm:col-start-4 max-sm:row-span-2 max-sm:row-start-1 max-sm:self-center",
  hidden: "max-sm:hidden",
} as const;

export type BetColumn<R> = {
  name: string;
  /** Whether its heading is only for screen readers. */
  isNameHidden?: boolean;
  isNumber?: boolean;
  /** Where it is in the two lines of a phone. */
  place: keyof typeof PLACES;
  cell(row: R): ReactNode;
};

type BetListProps<R> = {
  caption: string;
  columns: readonly BetColumn<R>[];
  rows: readonly R[];
  keyOf(row: R): number | string;
  /** The tracks of a row on a phone. */
  tracks: string;
  /** Whether the columns keep their width when rows change. */
  isFixed?: boolean;
};

// A row that is laid out as a grid would lose its role otherwise.
const [GROUP, ROW, HEADER, CELL] = ["rowgroup", "row", "columnheader", "cell"].map((role) => ({ role }));

/** Bets as a table; on a phone each row has two lines. */
export function BetList<R>({ caption, columns, rows, keyOf, tracks, isFixed = false }: BetListProps<R>) {
  return (
    <Table role="table" className={cn("max-sm:block max-sm:text-13", isFixed && "table-fixed")}>
      <caption className="sr-only">{caption}</caption>
      <thead {...GROUP} className="max-sm:sr-only">
        <tr {...ROW}>
          {columns.map(({ name, isNameHidden, isNumber }) => (
            <TableHead
              key={name}
              {...HEADER}
              className={cn("static py-2", isNumber && "text-right", isNameHidden && "w-11 px-0")}
            >
              {isNameHidden ? <span className="sr-only">{name}</span> : name}
            </TableHead>
          ))}
        </tr>
      </thead>
      <tbody {...GROUP} className="max-sm:block">
        {rows.map((row) => (
          <tr
            key={keyOf(row)}
            {...ROW}
            className={cn(
              "h-11 max-sm:grid max-sm:items-center max-sm:gap-x-3 max-sm:border-t max-sm:border-line max-sm:py-1",
              tracks,
            )}
          >
            {columns.map(({ name, isNameHidden, isNumber, place, cell }) => (
              <TableCell
                key={name}
                {...CELL}
                className={cn(
                  "py-0 max-sm:min-w-0 max-sm:truncate max-sm:border-t-0 max-sm:p-0",
                  isNumber && "text-right",
                  isNameHidden && "px-0 text-right",
                  PLACES[place],
                )}
              >
                {cell(row)}
              </TableCell>
            ))}
          </tr>
        ))}
      </tbody>
    </Table>
  );
}
