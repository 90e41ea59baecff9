import type { AnnouncedGame } from "@/games/definition";

export const blackjack: AnnouncedGame = {
  id: "blackjack",
  name: "Blackjack",
  fullName: "Blackjack",
  tagline: "Against the dealer, by published rules.",
  expected: { year: 2025, quarter: 2 },
  isInMenu: true,
};
