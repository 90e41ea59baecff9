export { DemonstrationDice } from "./demonstration-dice";
export { FairnessDialog } from "./fairness-dialog";
