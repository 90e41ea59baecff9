/**
 * What the server answers to errors, by their names, from the file that the server's tests hold against its code.
 * What is refused here before it is sent is refused in the same words.
 */
export {
  addressMissing,
  banReasonRequired,
  confirmedAmount,
  depositAmount,
  depositCurrency,
  insufficientBalance,
  invalidAutoCashout,
  invalidAutoSell,
  invalidCredentials,
  invalidTarget,
  notWagered,
  ownPayment,
  passwordTooShort,
  rejectionReasonRequired,
  seedClient,
  stakeNotPositive,
  stepUpRequired,
  usernameForbiddenCharacter,
  usernameTaken,
  usernameTooLong,
  usernameTooShort,
  withdrawalAboveBalance,
  withdrawalAmount,
  withdrawalBelowMinimum,
  withdrawalCurrency,
} from "../../../crates/api/errors.json";
