export { DiceGame } from "./dice-game";
