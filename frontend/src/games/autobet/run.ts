import {
  limitReached,
  nextStakeCents,
  NO_ROUNDS,
  type Plan,
  refuseStake,
  type Settled,
  type StakeLimits,
  type StopReason,
  type Totals,
  totalsAfter,
} from "./rules";

/**
 * How a bet ended: its round is settled, the server refused it or will look at it later, or no answer says whether it
 * was placed.
 */
export type BetResult =
  | ({ kind: "settled"; balanceCents: number } & Settled)
  | { kind: "refused"; message: string }
  | { kind: "later"; message: string }
  | { kind: "unknown" };

/** The game as autobet needs it. */
export type BetTable = {
  /**
   * Places a bet and waits until its round is settled. After an unknown result the same bet is placed again, as a retry,
   * which must not move money twice.
   */
  place(stakeCents: number, isRetry: boolean): Promise<BetResult>;
  limits(): Omit<StakeLimits, "balanceCents">;
  /** Why the game ends autobet now; null if it does not. */
  closed(): StopReason | null;
  /** Why no bet may be placed at the moment, as a sentence; null if one may. */
  pause(): string | null;
  /** Why the run may not go on after a pause; null if it may. */
  resume(): Promise<StopReason | null>;
  /** Calls back when `pause` may have changed. */
  onPauseChange(listener: () => void): () => void;
  /** The time for which a result is shown. */
  gapMs(): number;
};

export type RunState = {
  /** Stopping: the round in play is finished first. */
  phase: "running" | "paused" | "stopping" | "stopped";
  totals: Totals;
  stakeCents: number;
  /** Why it is paused. */
  pause: string | null;
  /** Set once it is stopped. */
  stop: StopReason | null;
};

/** The waits before a bet with an unknown result is sent again; after the last one autobet gives up. */
export const RETRY_WAITS_MS: readonly number[] = [1000, 2000, 4000, 8000, 15_000];
const NO_ANSWER = "Glasshouse does not answer. The same bet is sent again.";

const textOf = (result: Extract<BetResult, { kind: "unknown" | "later" }>): string =>
  result.kind === "later" ? result.message : NO_ANSWER;

/** One run of autobet: bet after bet until a limit, the player, the game or an unknown result ends it. */
export class AutobetRun {
  readonly #plan: Plan;
  readonly #table: BetTable;
  readonly #onChange: (state: RunState) => void;
  #state: RunState;
  #balanceCents: number;
  #wanted: StopReason | null = null;
  #isBetting = false;
  #wake: () => void = () => undefined;
  #leave: (nothing: null) => void = () => undefined;
  /** The result of a round may never arrive once the game has been left. */
  readonly #abandoned = new Promise<null>((resolve) => {
    this.#leave = resolve;
  });

  constructor(plan: Plan, table: BetTable, balanceCents: number, onChange: (state: RunState) => void) {
    this.#plan = plan;
    this.#table = table;
    this.#balanceCents = balanceCents;
    this.#onChange = onChange;
    this.#state = {
      phase: "running",
      totals: NO_ROUNDS,
      stakeCents: plan.baseStakeCents,
      pause: null,
      stop: null,
    };
  }

  get state(): RunState {
    return this.#state;
  }

  /** Ends after the round in play. */
  stop(reason: StopReason): void {
    if (this.#state.phase === "stopped" || this.#wanted !== null) return;
    this.#wanted = reason;
    if (this.#isBetting) this.#set({ phase: "stopping", pause: null });
    this.#wake();
  }

  /** Ends at once, because nobody will see what becomes of the round in play. */
  abandon(reason: StopReason): void {
    if (this.#state.phase === "stopped") return;
    this.#wanted ??= reason;
    this.#end(reason);
    this.#wake();
    this.#leave(null);
  }

  /** Plays until the end, and resolves then. */
  async play(): Promise<void> {
    let retries = 0;
    // Whether the bet may stand: an attempt was not answered.
    let isLost = false;
    while (!this.#isOver()) {
      // oxlint-disable-next-line no-await-in-loop -- the rounds follow each other
      await this.#whilePaused();
      const reason = this.#reasonNotToBet(isLost);
      if (reason !== null) {
        this.#end(reason);
        return;
      }
      this.#isBetting = true;
      // oxlint-disable-next-line no-await-in-loop -- the rounds follow each other
      const result: BetResult | null = await Promise.race([
        this.#table.place(this.#state.stakeCents, isLost),
        this.#abandoned,
      ]);
      this.#isBetting = false;
      if (this.#isOver() || result === null) return;
      isLost ||= result.kind === "unknown";
      if (result.kind === "unknown" || result.kind === "later") {
        const wait = RETRY_WAITS_MS[retries];
        if (wait === undefined || this.#wanted !== null) {
          this.#end((isLost ? null : this.#wanted) ?? this.#failure(result, isLost));
          return;
        }
        retries += 1;
        this.#set({ phase: "paused", pause: this.#table.pause() ?? textOf(result) });
        // oxlint-disable-next-line no-await-in-loop -- waits between attempts
        await this.#sleep(wait);
      } else if (result.kind === "refused") {
        this.#end(this.#failure(result, isLost));
      } else {
        retries = 0;
        isLost = false;
        // oxlint-disable-next-line no-await-in-loop -- the rounds follow each other
        await this.#settle(result);
      }
    }
  }

  /** The reason to end instead of betting; null if the next bet may be placed. */
  #reasonNotToBet(isLost: boolean): StopReason | null {
    // A bet that may stand can only be repeated: whether it was placed stays unknown otherwise.
    if (isLost) return this.#wanted === null ? null : { kind: "unknown", stakeCents: this.#state.stakeCents };
    return (
      this.#wanted ??
      this.#table.closed() ??
      limitReached({ ...this.#plan, rounds: null }, this.#state.totals, this.#balanceCents) ??
      refuseStake(this.#state.stakeCents, { ...this.#table.limits(), balanceCents: this.#balanceCents })
    );
  }

  /** Why a bet that was not settled ends the run. That a retry is refused does not say what became of the bet. */
  #failure(result: Exclude<BetResult, { kind: "settled" }>, isLost: boolean): StopReason {
    return isLost || result.kind === "unknown"
      ? { kind: "unknown", stakeCents: this.#state.stakeCents }
      : { kind: "refused", message: result.message };
  }

  async #settle(result: Extract<BetResult, { kind: "settled" }>): Promise<void> {
    this.#balanceCents = result.balanceCents;
    const totals = totalsAfter(this.#state.totals, result);
    this.#set({ totals });
    const reason = limitReached(this.#plan, totals, this.#balanceCents) ?? this.#wanted;
    if (reason !== null) {
      this.#end(reason);
      return;
    }
    this.#set({ stakeCents: nextStakeCents(this.#plan, this.#state.stakeCents, result.isWin) });
    const gap = this.#table.gapMs();
    if (gap > 0) await this.#sleep(gap);
  }

  /** Waits while no bet may be placed, and no longer than until a stop is wanted. */
  async #whilePaused(): Promise<void> {
    const stopListening = this.#table.onPauseChange(() => this.#wake());
    for (let pause = this.#table.pause(); pause !== null && this.#wanted === null; pause = this.#table.pause()) {
      this.#set({ phase: "paused", pause });
      // oxlint-disable-next-line no-await-in-loop -- until the reason is gone
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      // oxlint-disable-next-line no-await-in-loop -- another pause can have begun when it is answered
      if (this.#wanted === null && this.#table.pause() === null) this.#wanted ??= await this.#table.resume();
    }
    stopListening();
    if (this.#wanted === null) this.#set({ phase: "running", pause: null });
  }

  /** Waits; a stop ends the wait. */
  async #sleep(milliseconds: number): Promise<void> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    if (this.#wanted === null)
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
        timer = setTimeout(resolve, milliseconds);
      });
    clearTimeout(timer);
  }

  #isOver(): boolean {
    return this.#state.phase === "stopped";
  }

  #end(reason: StopReason): void {
    if (!this.#isOver()) this.#set({ phase: "stopped", pause: null, stop: reason });
  }

  #set(change: Partial<RunState>): void {
    this.#state = { ...this.#state, ...change };
    this.#onChange(this.#state);
  }
}
