/** What is wrong with a piece of evidence. */
export type ProofProblem =
  /** It does not have the agreed format. */
  | "format"
  /** None of its signatures is by a known key. */
  | "unknown_key"
  /** A signature by a known key is not valid. */
  | "signature"
  /** It is not in the tree that it is said to be in. */
  | "inclusion"
  /** A tree does not continue an earlier one. */
  | "consistency"
  /** It is genuine, but not about what it should be about. */
  | "subject";

/** A piece of evidence that does not hold. A fault, such as a lost connection, is any other error. */
export class ProofError extends Error {
  constructor(
    readonly problem: ProofProblem,
    message: string,
  ) {
    super(message);
    this.name = "ProofError";
  }
}

export const malformed = (message: string): ProofError => new ProofError("format", message);
