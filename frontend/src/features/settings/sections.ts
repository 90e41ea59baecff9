// The sections of the page, in their order. A section is a line here, and its address follows from its name.

import { Gauge, Lock, type LucideIcon, MonitorCog, ShieldCheck, User, Volume2 } from "lucide-react";
import type { ComponentType } from "react";
import { lazyPart } from "@/lib/lazy-part";
import { ProfileSection } from "./profile-section";

export type Section = { name: string; label: string; Icon: LucideIcon; Content: ComponentType };

const PROFILE: Section = { name: "profile", label: "Profile", Icon: User, Content: ProfileSection };

/** All but the first are loaded when they are opened. */
export const SECTIONS: readonly Section[] = [
  PROFILE,
  {
    name: "security",
    label: "Security",
    Icon: ShieldCheck,
    Content: lazyPart(() => import("./security/security-section")),
  },
  { name: "limits", label: "Limits", Icon: Gauge, Content: lazyPart(() => import("./limits/limits-section")) },
  { name: "privacy", label: "Privacy", Icon: Lock, Content: lazyPart(() => import("./privacy-section")) },
  { name: "display", label: "Display", Icon: MonitorCog, Content: lazyPart(() => import("./display-section")) },
  { name: "sound", label: "Sound", Icon: Volume2, Content: lazyPart(() => import("./sound-section")) },
];

/** The section of that name; the first one if there is none. */
export const sectionOf = (name: string | null): Section => SECTIONS.find((section) => section.name === name) ?? PROFILE;

export const addressOf = ({ name }: Section): string =>
  name === PROFILE.name ? "/settings" : `/settings?tab=${encodeURIComponent(name)}`;
