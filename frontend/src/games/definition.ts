import type { LucideIcon } from "lucide-react";
import type { ComponentType, ReactNode } from "react";
import type { components } from "@/api/schema";
import type { GameWireName } from "./rounds/api";
import type { GameRounds } from "./rounds/game-rounds";
import type { Verifier } from "./rounds/verification";

// What the rest of the front end knows of a game. A game is its own folder, whose index has one of
// these, and a line in the registry.

export type GameProps = {
  /** Whether no new round can be started; one that is in play can be finished. */
  isPaused: boolean;
  onVerifyRound(id: number): void;
  onOpenFairness(): void;
};

/** Whether a game can be played, is closed for a while, or is only announced. The operator decides it at run time. */
export type GameStatus = "open" | "paused" | "announced";

/** What is loaded when a game is opened: the game, and what its page has around it. */
export type GamePage = {
  Game: ComponentType<GameProps>;
  /** Under the title; on a phone beneath the game. */
  note: ReactNode;
  backTo?: { to: string; label: string };
  /** In the page's header. */
  Actions?: ComponentType;
  /** Beneath the game: how it is played. */
  About?: ComponentType;
};

/** How a game is announced. */
export type Announcement = {
  /** On the page of the announced games. */
  fullName: string;
  /** In one sentence. */
  tagline: string;
  /** None where nothing was promised. */
  expected?: { year: number; quarter: number };
  /** Whether the menus and the lobby have it; the others are on the announcements' own pages only. */
  isInMenu: boolean;
};

/** A game that has a page. */
export type GameDefinition = {
  /** What it is until the server says otherwise. */
  defaultStatus: GameStatus;
  /** How it is announced while it cannot be played; without one, by its name and its tagline. */
  announcement?: Announcement;
  /** The name of its folder. */
  id: string;
  /**
   * Whether a round is over with the answer to its bet, runs on a clock, or waits for the player's
   * moves. All but the first can be in play while another screen is shown.
   */
  kind: "instant" | "timed" | "turns";
  /** What the server calls it: among the open rounds, in events and in a round's details, and in the house's report. */
  wire: { name: GameWireName; reportName: components["schemas"]["HouseGameName"] };
  /** Two games can share a page; the hash says which of them is shown. The first one has none. */
  path: `/${string}`;

  /** In the sidebar, and where a round is said to be in play. */
  label: string;
  /** Where there is little space, together with the other games of its page. */
  shortLabel: string;
  /** In the menus and on the cards of the lobby and of the landing page. */
  name: string;
  /** Over its page. */
  title: string;
  /** On its tab, where it shares a page. */
  tabLabel?: string;
  /** In the house's report. */
  reportLabel: string;
  Icon: LucideIcon;

  /** Where players choose, the exact return is that of the best play. */
  isReturnByBestPlay: boolean;
  /** What comes back of a hundred, exactly, and for which way of playing that holds. */
  rtp: { percent: string; scope: string };
  /** Its place among the cards of the lobby; without one it is reached by the page that it shares. */
  lobby?: { position: number; tagline: string };
  /** Its place among the featured games of the landing page. */
  featured?: { position: number; tagline: string; rtp: string };
  isInFooter?: boolean;
  /** The card in the statistics of the history; `best` where one leaves in time: the name of what one left at. */
  statistics?: { best?: string };

  rounds: GameRounds;
  loadPage(): Promise<{ page: GamePage }>;
  loadVerifier(): Promise<{ verifier: Verifier }>;
};

/** A game that is announced; all of them lead to one page. One that has no page of its own yet is never anything else. */
export type AnnouncedGame = Announcement & {
  id: string;
  /** In the menus and on the landing page. */
  name: string;
};
