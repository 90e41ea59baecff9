/**
 * The server's error messages by name, from a file that its tests check against its code. Input refused here before it
 * is sent gets the same message.
 */
export {
  addressMissing,
  amountMalformed,
  amountOutOfRange,
  banReasonRequired,
  confirmedAmount,
  depositAmount,
  depositCurrency,
  email,
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
