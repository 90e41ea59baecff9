import type { AnnouncedGame } from "@/games/definition";

export const mines: AnnouncedGame = {
  id: "mines",
  name: "Mines",
  fullName: "Mines",
  tagline: "One more field, or take what you have.",
  expected: { year: 2025, quarter: 2 },
  isInMenu: true,
};
