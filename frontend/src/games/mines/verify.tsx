import type { Verifier } from "@/games/rounds/verification";
import { minesDetailsOf } from "./api";
import { Gem, Mine } from "./cell-art";
import { cellNumbers, drawnCells, type MinesTerms, publishedMines, verifyMines } from "./fairness";
import { CELLS } from "./multiplier";

const DERIVATION =
  "and of the numbers after 0 gives one word a mine: the cell at that word times the cells left, divided by 2³², leaves the list of the 25 cells. They are numbered from 1, row by row.";

export const verifier: Verifier = {
  published: publishedMines,
  publishedTerms(round): MinesTerms | null {
    const mines = minesDetailsOf(round);
    return mines && { mines: mines.mines, revealed: mines.revealed };
  },

  async verify(round, claim) {
    const mines = minesDetailsOf(round);
    if (!mines) return null;
    const { mineCells, ...verdict } = await verifyMines({ ...claim, ...mines });
    return {
      ...verdict,
      derivation: DERIVATION,
      evidence: <RecomputedField mineCells={mineCells} revealed={mines.revealed} hitCell={mines.hitCell} />,
    };
  },

  async compute(seeds) {
    const drawn = await drawnCells(seeds);
    return (
      <p>
        Mines: <strong>{cellNumbers(drawn)}</strong>. The first of these cells, as many as there are mines.
      </p>
    );
  },
};

type RecomputedFieldProps = { mineCells: readonly number[]; revealed: readonly number[]; hitCell: number | null };

/** The recomputed grid with the revealed cells. */
function RecomputedField({ mineCells, revealed, hitCell }: RecomputedFieldProps) {
  return (
    <div
      role="img"
      aria-label={`Recomputed grid: mines on ${cellNumbers(mineCells)}`}
      className="grid w-[220px] grid-cols-5 gap-1 rounded-control bg-well p-3"
    >
      {Array.from({ length: CELLS }, (_, cell) => {
        const isMine = mineCells.includes(cell);
        const isRevealed = revealed.includes(cell) || cell === hitCell;
        return (
          <span key={cell} className="grid aspect-square place-items-center rounded-chip bg-panel">
            {isMine ? (
              <Mine isHit={isRevealed} className="size-6" />
            ) : (
              <Gem className={isRevealed ? "size-5" : "size-5 opacity-25"} />
            )}
          </span>
        );
      })}
    </div>
  );
}
