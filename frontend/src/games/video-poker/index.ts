import { Spade } from "lucide-react";
import type { GameDefinition } from "@/games/definition";
import { facts } from "@/lib/facts";
import { videoPokerRounds } from "./rounds";

export const videoPoker: GameDefinition = {
  defaultStatus: "open",
  id: "video-poker",
  kind: "turns",
  wire: { name: "poker", reportName: "poker" },
  path: "/poker",
  label: "Video poker",
  shortLabel: "Poker",
  name: "Jacks or Better Poker",
  title: "Jacks or Better Video Poker",
  tabLabel: "Video poker",
  reportLabel: "Jacks or Better",
  Icon: Spade,
  rtp: { percent: facts.video_poker.rtp_percent_maximum_bet, scope: "with best play at the maximum bet" },
  lobby: { position: 3, tagline: "Hold the right cards; also heads-up against 1 opponent." },
  featured: {
    position: 3,
    tagline: "Video poker on the 8/5 paytable, by the published odds.",
  },
  isInFooter: true,
  rounds: videoPokerRounds,
  loadPage: () => import("./page"),
  loadVerifier: () => import("./verify"),
  loadPreview: () => import("./preview"),
};
