import { Zap } from "lucide-react";
import type { GameDefinition } from "@/games/definition";
import { facts } from "@/lib/facts";
import { crashRounds } from "./rounds";

export const crash: GameDefinition = {
  defaultStatus: "open",
  id: "crash",
  kind: "timed",
  wire: { name: "crash", reportName: "crash" },
  path: "/crash",
  label: "Crash",
  shortLabel: "Crash",
  name: "Crash",
  title: "Crash",
  reportLabel: "Crash",
  Icon: Zap,
  rtp: { percent: facts.crash.rtp_percent, scope: "at every cash-out" },
  lobby: { position: 2, tagline: "Cash out before the multiplier crashes." },
  isInFooter: true,
  statistics: { best: "Best Cashout" },
  rounds: crashRounds,
  loadPage: () => import("./page"),
  loadVerifier: () => import("./verify"),
  loadPreview: () => import("./preview"),
};
