import { Bomb } from "lucide-react";
import type { GameDefinition } from "@/games/definition";
import { RTP_PERCENT } from "./multiplier";
import { minesRounds } from "./rounds";

const TAGLINE = "One more cell, or cash out.";

export const mines: GameDefinition = {
  defaultStatus: "announced",
  announcement: { fullName: "Mines", tagline: TAGLINE, expected: { year: 2025, quarter: 2 }, isInMenu: true },
  id: "mines",
  kind: "turns",
  wire: { name: "mines", reportName: "mines" },
  path: "/mines",
  label: "Mines",
  shortLabel: "Mines",
  name: "Mines",
  title: "Mines",
  reportLabel: "Mines",
  Icon: Bomb,
  rtp: { percent: RTP_PERCENT, scope: "for every number of mines" },
  lobby: { position: 6, tagline: TAGLINE },
  statistics: { best: "Best Cashout" },
  rounds: minesRounds,
  loadPage: () => import("./page"),
  loadVerifier: () => import("./verify"),
  loadPreview: () => import("./preview"),
};
