import type { ComponentType, ReactNode } from "react";
import type { Autobet } from "@/games/autobet/use-autobet";
import type { GameHistoryEntry } from "@/games/rounds/api";
import type { GameRounds } from "@/games/rounds/game-rounds";
import type { Limits, Refusal } from "@/lib/bet-rules";
import type { LiveRound } from "./api";
import type { MainActionProps } from "./main-action";
import type { LiveState } from "./round-state";
import type { LiveGame } from "./use-live-round";

export type TimedLimits = Limits & { minimumCents: number };

export type BetPanelProps<F, P> = {
  form: F;
  limits: TimedLimits;
  refusals: P;
  isLocked: boolean;
  action: MainActionProps;
  autobet: Autobet;
  /** The last bet, to be placed again; null before the first one. */
  last: F | null;
  onRepeat(): void;
  onChange(form: F): void;
  /** Enter in a field: starts a round, and never ends one. */
  onPlay(): void;
  onSubmit(): void;
};

/** What the stage shows apart from the frames of a round in play. */
export type StageText = {
  phase: string;
  multiplier: string;
  caption: ReactNode;
  tone: "plain" | "won" | "lost";
  /** What the chart shows, for screen readers; null while it changes. */
  chartLabel: string | null;
};

/** The end of a round in words; `outcome` as in the history. */
export type Ending = { title: string; description: string; outcome: string; isWin: boolean };

/**
 * Describes a timed game: `R` is its round, `F` the form of its bet, `S` the request that starts a round, `C` what a
 * cash-out claims, and `P` the problem of each field.
 */
export type TimedGameSpec<
  R extends LiveRound,
  F extends { amount: string },
  S extends object,
  C extends object,
  P extends Record<string, Refusal | null>,
> = {
  calls: LiveGame<R, S, C>;
  rounds: GameRounds;
  /** The game's own fields of a history entry. */
  recordFields(round: R): Partial<GameHistoryEntry>;

  /** Used until the server's settings are loaded. */
  defaultForm: F;
  defaultLimits: Omit<TimedLimits, "balanceCents">;
  fetchSettings(): Promise<{ form: F; minBet: string; maxBet: string }>;

  checkForm(form: F, limits: TimedLimits): P;
  noRefusals: P;
  /** Why a round cannot be started, in the server's order; null if it can. */
  refuseStart(form: F, limits: TimedLimits): Refusal | null;
  startOf(form: F): S;
  /** Why the form has no terms on which autobet could end its rounds; null if it has. */
  refuseAutobet(form: F): Refusal | null;
  /** The form that would start this round, shown while it is in play. */
  formOf(round: R): F;

  ending(round: R): Ending;
  /** What the key C does. */
  cashOutWords: string;
  /** The title of the toast for a late cash-out. */
  lateTitle: string;
  /** The label of the main button; during a round the frames write into it. */
  labelOf(state: LiveState<R>, form: F): string;
  stageOf(state: LiveState<R>): StageText;
  /** Whether the chart has a fixed height instead of filling the available one. */
  isStageLow?: boolean;
  Panel: ComponentType<BetPanelProps<F, P>>;
};
