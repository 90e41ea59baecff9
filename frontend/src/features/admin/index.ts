export { AccessDenied } from "./access-denied";
export { AdminPanel } from "./admin-panel";
export { PlayerPage } from "./player/player-page";
export { RoundPage } from "./round/round-page";
export { PaymentPage } from "./payment/payment-page";
export { WithdrawalPage } from "./withdrawal/withdrawal-page";
