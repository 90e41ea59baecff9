export { PayoutTable } from "./payout-table";
export { PokerGame } from "./poker-game";
