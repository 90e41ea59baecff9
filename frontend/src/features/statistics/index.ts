export { StatisticsView } from "./statistics-view";
