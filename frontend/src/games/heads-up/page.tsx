import type { GamePage } from "@/games/definition";
import { HeadsUpGame } from "./heads-up-game";

export const page: GamePage = {
  Game: HeadsUpGame,
  note: "Played against 1 opponent: the house.",
  backTo: { to: "/", label: "Back" },
};
