export { DepositDialog } from "./deposit-dialog";
export { DepositList } from "./deposit-list";
export { FundsRule } from "./funds-rule";
export { WithdrawDialog } from "./withdraw-dialog";
export { WithdrawalList } from "./withdrawal-list";
