export { CrashGame } from "./crash-game";
