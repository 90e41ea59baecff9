export { FairnessDialog } from "./fairness-dialog";
