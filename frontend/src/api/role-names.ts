import type { Role } from "./types";

export const ROLE_NAMES = {
  player: "Player",
  owner: "Owner",
  finance: "Finance",
  cashier: "Cashier",
  support: "Support",
  auditor: "Auditor",
} as const satisfies Record<Role, string>;
