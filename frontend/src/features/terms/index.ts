export { TermsView } from "./terms-view";
