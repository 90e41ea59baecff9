export { ChangePassword } from "./security/change-password";
export { FirstAuthenticator } from "./security/first-authenticator";
export { SettingsView } from "./settings-view";
