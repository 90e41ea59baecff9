import type { AnnouncedGame } from "@/games/definition";

export const holdem: AnnouncedGame = {
  id: "holdem",
  name: "Hold'em",
  fullName: "Texas Hold'em Poker",
  tagline: "Multiplayer, at a table with others.",
  expected: { year: 2025, quarter: 4 },
  isInMenu: false,
};
