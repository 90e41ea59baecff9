/** The games, in the order of the menu. */
export const GAMES = [
  { to: "/dice", label: "Dice" },
  { to: "/crash", label: "Crash" },
  { to: "/stonks", label: "Stonks" },
  { to: "/poker", label: "Jacks or Better Poker" },
] as const;

/** Announced games; all lead to one page. */
export const COMING_GAMES = ["Blackjack", "Baccarat", "Mines"] as const;
