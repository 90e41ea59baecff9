/** How good a password is, as the server says. */
export type PasswordStrength = {
  /** From 0 to 4. */
  score: number;
  refusal: { message: string } | null;
  suggestions: readonly string[];
};

const NAMES = ["Very weak", "Weak", "Fair", "Good", "Strong"] as const;

/** A name for how good a password is, and what to do about it. */
export function strengthText({ score, refusal, suggestions }: PasswordStrength): { name: string; advice: string } {
  if (refusal) return { name: "Not accepted", advice: refusal.message };
  return { name: NAMES[score] ?? "", advice: suggestions[0] ?? "" };
}

/** How many of the meter's four parts are filled. */
export const filledParts = ({ score }: PasswordStrength): number => Math.min(4, Math.max(1, score));
