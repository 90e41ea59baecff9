export { StonksGame } from "./stonks-game";
