import { Dices } from "lucide-react";
import type { GameDefinition } from "@/games/definition";
import { facts } from "@/lib/facts";
import { diceRounds } from "./rounds";

export const dice: GameDefinition = {
  defaultStatus: "open",
  id: "dice",
  kind: "instant",
  wire: { name: "dice", reportName: "dice" },
  path: "/dice",
  label: "Dice",
  shortLabel: "Dice",
  name: "Dice",
  title: "Dice",
  reportLabel: "Dice",
  Icon: Dices,
  rtp: { percent: facts.dice.rtp_percent, scope: "at every target" },
  lobby: { position: 1, tagline: "Over or under a number you choose." },
  featured: {
    position: 1,
    tagline: "Choose a number and a side. One roll decides.",
  },
  isInFooter: true,
  statistics: {},
  rounds: diceRounds,
  loadPage: () => import("./page"),
  loadVerifier: () => import("./verify"),
  loadPreview: () => import("./preview"),
};
