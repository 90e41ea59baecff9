export { HeadsUpGame } from "./heads-up-game";
