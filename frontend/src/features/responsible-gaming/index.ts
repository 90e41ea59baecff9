export { ResponsibleGamingView } from "./responsible-gaming-view";
