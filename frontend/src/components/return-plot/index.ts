export { ReturnPlot } from "./return-plot";
export { exactText, type GameReturn, verdictText } from "./returns";
