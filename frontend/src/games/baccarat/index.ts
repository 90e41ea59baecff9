import type { AnnouncedGame } from "@/games/definition";

export const baccarat: AnnouncedGame = {
  id: "baccarat",
  name: "Baccarat",
  fullName: "Baccarat",
  tagline: "Player, banker or tie.",
  expected: { year: 2025, quarter: 3 },
  isInMenu: true,
};
