import facts from "../../../crates/games/facts.json";

/** The exact figures of the games, from the file that the server's tests hold against its code. */
export { facts };
