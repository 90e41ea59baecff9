import type { AutobetForm } from "./form";

export const EMPTY_FORM: AutobetForm = {
  rounds: "",
  onWin: { kind: "keep", percent: "" },
  onLoss: { kind: "keep", percent: "" },
  stopOnProfit: "",
  stopOnLoss: "",
  stopBelowBalance: "",
  stopAboveBalance: "",
};
