// The cached data about the player's seeds, which several screens show.

/** The seeds of the next round. */
export const FAIRNESS = "fairness";
/** The server seed that was revealed last, since the page was loaded. */
export const REVEALED_SEED = "revealed-seed";
