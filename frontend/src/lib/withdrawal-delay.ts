// Why a withdrawal is delayed, in words.

const REASONS = {
  new_address: "the address is new",
  password_changed: "the password was changed",
  second_factor_changed: "the second factor was changed",
} as const;

export type DelayReason = keyof typeof REASONS;

const LIST = new Intl.ListFormat("en-US", { type: "conjunction" });

/** "the address is new and the password was changed". */
export const delayReasonsText = (reasons: readonly DelayReason[]): string =>
  LIST.format(reasons.map((reason) => REASONS[reason]));
