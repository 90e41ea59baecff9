import type { LucideIcon } from "lucide-react";
import type { ComponentType, ReactNode } from "react";
import type { components } from "@/api/schema";
import type { GameWireName, OpenRounds } from "./rounds/api";
import type { GameRounds } from "./rounds/game-rounds";
import type { Verifier } from "./rounds/verification";

// What the rest of the front end knows about a game. A game is a folder whose index exports one of these, plus a line
// in the registry.

/** Why no new round can be started, as the main button says it; empty if one can. A round in play can be finished. */
export type Closed = "" | "Paused" | "Excluded" | "Maintenance" | "Blocked";

export type GameProps = {
  closed: Closed;
  onVerifyRound(id: number): void;
  onOpenFairness(): void;
};

/** Whether a game can be played, is closed for a while, or is only announced. The operator decides at run time. */
export type GameStatus = "open" | "paused" | "announced";

/** Loaded when a game is opened: the game and the content around it. */
export type GamePage = {
  Game: ComponentType<GameProps>;
  /** Below the title; on a phone below the game. */
  note: ReactNode;
  backTo?: { to: string; label: string };
  /** In the page's header. */
  Actions?: ComponentType;
  /** Below the game: how it is played. Its code is loaded beside the first screen. */
  About?: ComponentType;
};

/** `open` are the player's rounds in play: a game draws its own one as it is, and otherwise an example. */
export type PictureProps = {
  open: OpenRounds | null;
  isStill: boolean;
  /** Behind text: without figures. */
  isBackdrop: boolean;
};

/** Loaded when a game's picture is first seen. */
export type GamePreview = {
  /** The game drawn from its own elements. It fills its container and is only decoration. */
  Picture: ComponentType<PictureProps>;
  /** The player's round in play in words and figures; nothing without one. */
  Progress: ComponentType<{ open: OpenRounds }>;
};

/** How a game is announced. */
export type Announcement = {
  /** On the Coming Soon page. */
  fullName: string;
  /** One sentence. */
  tagline: string;
  /** Absent if nothing was promised. */
  expected?: { year: number; quarter: number };
  /** Whether it is in the menus and the lobby; otherwise only on the Coming Soon pages. */
  isInMenu: boolean;
};

/** A game that has a page. */
export type GameDefinition = {
  /** Its status until the server says otherwise. */
  defaultStatus: GameStatus;
  /** Its announcement while it cannot be played; by default its name and tagline. */
  announcement?: Announcement;
  /** The name of its folder. */
  id: string;
  /**
   * Whether a round ends with the response to its bet, runs on a clock, or waits for the player's moves. All but the
   * first can be in play while another screen is shown.
   */
  kind: "instant" | "timed" | "turns";
  /** The server's names: among the open rounds, in events and in a round's details, and in the house report. */
  wire: { name: GameWireName; reportName: components["schemas"]["HouseGameName"] };
  /** Two games can share a page; the hash selects one. The first one has no hash. */
  path: `/${string}`;

  /** In the sidebar, and where a round in play is mentioned. */
  label: string;
  /** Where space is limited, together with the other games of its page. */
  shortLabel: string;
  /** In the menus and on the cards of the lobby and the landing page. */
  name: string;
  /** The heading of its page. */
  title: string;
  /** Its tab, if it shares a page. */
  tabLabel?: string;
  /** In the house report. */
  reportLabel: string;
  Icon: LucideIcon;

  /** The exact return in percent, and the way of playing it holds for. */
  rtp: { percent: string; scope: string };
  /** Its card in the lobby; without one it is reached through the page it shares. */
  lobby?: { position: number; tagline: string };
  /** Its card among the featured games of the landing page. */
  featured?: { position: number; tagline: string };
  isInFooter?: boolean;
  /** Its card in the history's statistics; `best` labels the highest cash-out, for games that have one. */
  statistics?: { best?: string };

  rounds: GameRounds;
  loadPage(): Promise<{ page: GamePage }>;
  loadVerifier(): Promise<{ verifier: Verifier }>;
  loadPreview(): Promise<{ preview: GamePreview }>;
};

/** An announced game; all of them link to one page. A game without its own page is always announced. */
export type AnnouncedGame = Announcement & {
  id: string;
  /** In the menus and on the landing page. */
  name: string;
};
