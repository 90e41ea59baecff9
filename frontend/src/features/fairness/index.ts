export { ExplanationDialog } from "./explanation-dialog";
export { FairnessDialog } from "./fairness-dialog";
