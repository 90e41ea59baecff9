export { DepositList } from "./deposit-list";
export { FundsRule } from "./funds-rule";
export { WithdrawalList } from "./withdrawal-list";
