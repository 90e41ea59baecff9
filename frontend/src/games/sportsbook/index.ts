import type { AnnouncedGame } from "@/games/definition";

export const sportsbook: AnnouncedGame = {
  id: "sportsbook",
  name: "Sportsbook",
  fullName: "Sportsbook",
  tagline: "Odds with the margin shown next to them.",
  expected: { year: 2025, quarter: 3 },
  isInMenu: false,
};
