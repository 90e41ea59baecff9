import { Club } from "lucide-react";
import type { GameDefinition } from "@/games/definition";
import { facts } from "@/lib/facts";
import { headsUpRounds } from "./rounds";

export const headsUp: GameDefinition = {
  defaultStatus: "open",
  id: "heads-up",
  kind: "turns",
  wire: { name: "headsUp", reportName: "heads_up" },
  path: "/poker#heads-up",
  label: "Heads-up poker",
  shortLabel: "Poker",
  name: "Heads-up Poker",
  title: "Heads-up Hold'em",
  tabLabel: "Heads-up",
  reportLabel: "Heads-up poker",
  Icon: Club,
  rtp: { percent: facts.heads_up.rtp_percent_of_staked, scope: "of the stakes, with best play" },
  rounds: headsUpRounds,
  loadPage: () => import("./page"),
  loadVerifier: () => import("./verify"),
};
