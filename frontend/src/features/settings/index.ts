export { ChangePassword } from "./security/change-password";
export { FirstSecondFactor } from "./security/first-second-factor";
export { SettingsView } from "./settings-view";
