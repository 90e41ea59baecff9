export { ForgotPassword } from "./forgot-password";
export { NewPassword } from "./new-password";
export { VerifyEmail } from "./verify-email";
