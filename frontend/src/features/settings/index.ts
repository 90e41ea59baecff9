export { ChangePassword } from "./security/change-password";
export { SettingsView } from "./settings-view";
