import { Club } from "lucide-react";
import type { GameDefinition } from "@/games/definition";
import { facts } from "@/lib/facts";
import { headsUpRounds } from "./rounds";

const TAGLINE = "Texas Hold'em against 1 opponent, the house.";

export const headsUp: GameDefinition = {
  defaultStatus: "open",
  // Its page is listed in the menus as long as one of its games is.
  announcement: { fullName: "Heads-up Hold'em", tagline: TAGLINE, isInMenu: false },
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
  lobby: { position: 4, tagline: TAGLINE },
  rounds: headsUpRounds,
  loadPage: () => import("./page"),
  loadVerifier: () => import("./verify"),
  loadPreview: () => import("./preview"),
};
