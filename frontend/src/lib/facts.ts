import facts from "../../../crates/games/facts.json";

/** The games' exact figures, from a file that the server's tests check against its code. */
export { facts };
