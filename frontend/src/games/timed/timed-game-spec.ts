import type { ComponentType, ReactNode } from "react";
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
  onChange(form: F): void;
  /** Enter in a field: plays a round, and never ends one. */
  onPlay(): void;
  onSubmit(): void;
};

/** What the stage says apart from the frames of a round in play. */
export type StageText = { phase: string; multiplier: string; caption: ReactNode; tone: "plain" | "won" | "lost" };

/** How a round ended, in words; `outcome` as the history has it. */
export type Ending = { title: string; description: string; outcome: string; isWin: boolean };

/**
 * What makes a timed game the one it is: `R` is its round, `F` the form of its bet, `S` what starts a
 * round, `C` what leaving one claims, and `P` what is wrong with each field of the form.
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
  /** What a record of the history has of this game alone. */
  recordFields(round: R): Partial<GameHistoryEntry>;

  /** What is offered until the server's settings are there. */
  defaultForm: F;
  defaultLimits: Omit<TimedLimits, "balanceCents">;
  fetchSettings(): Promise<{ form: F; minBet: string; maxBet: string }>;

  checkForm(form: F, limits: TimedLimits): P;
  noRefusals: P;
  /** Why a round cannot be started, in the order in which it is checked; null if it can. */
  refuseStart(form: F, limits: TimedLimits): Refusal | null;
  startOf(form: F): S;
  /** What a form would say to start this very round, for showing while it is on. */
  formOf(round: R): F;

  ending(round: R): Ending;
  /** The title of the toast that says that leaving came too late. */
  lateTitle: string;
  /** What the main button says; while playing the frames write into it. */
  labelOf(state: LiveState<R>, form: F): string;
  stageOf(state: LiveState<R>): StageText;
  /** Whether the chart has a height of its own instead of what room there is. */
  isStageLow?: boolean;
  Panel: ComponentType<BetPanelProps<F, P>>;
};
