import { TrendingUp } from "lucide-react";
import type { GameDefinition } from "@/games/definition";
import { facts } from "@/lib/facts";
import { stonksRounds } from "./rounds";

export const stonks: GameDefinition = {
  defaultStatus: "open",
  id: "stonks",
  kind: "timed",
  wire: { name: "stonks", reportName: "stonks" },
  path: "/stonks",
  label: "Stonks",
  shortLabel: "Stonks",
  name: "Stonks",
  title: "Stonks",
  reportLabel: "Stonks",
  Icon: TrendingUp,
  rtp: { percent: facts.stonks.rtp_percent, scope: "whenever you sell" },
  lobby: { position: 5, tagline: "Sell before the simulated market crashes." },
  featured: {
    position: 2,
    tagline: "Ride a simulated market and sell before it crashes.",
  },
  statistics: { best: "Best Sell" },
  rounds: stonksRounds,
  loadPage: () => import("./page"),
  loadVerifier: () => import("./verify"),
  loadPreview: () => import("./preview"),
};
