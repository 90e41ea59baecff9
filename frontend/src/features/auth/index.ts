export { LoginFields, RegisterFields } from "./auth-forms";
