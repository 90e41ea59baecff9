// What the signed-in administrator may do. The server judges each call; the panel only leaves out what it would refuse.

import type { ReactNode } from "react";
import { ROLE_NAMES } from "@/api/role-names";
import { useUser } from "@/api/session";
import type { Permission, Role } from "@/api/types";

/** What each role is for, as the panel says it. */
const ROLE_PURPOSES = {
  player: "",
  owner: "You can do everything.",
  finance: "You can adjust balances, confirm payments, resolve reviews and stop the house.",
  cashier: "You can decide on withdrawals, check payments and stop the house.",
  support: "You can ban and restrict users and check payments.",
  auditor: "You can read everything, and change nothing.",
} as const satisfies Record<Role, string>;

export function usePermission(permission: Permission): boolean {
  return useUser()?.permissions.includes(permission) === true;
}

/** Shows what only some roles can use. */
export function IfPermitted({ permission, children }: { permission: Permission; children: ReactNode }) {
  return usePermission(permission) && children;
}

/** Says what the administrator can do. */
export function OwnRole() {
  const user = useUser();
  if (user === null) return null;
  return (
    <p className="text-13 text-ink-2">
      Your role: <strong className="font-semibold text-ink">{ROLE_NAMES[user.role]}</strong>. {ROLE_PURPOSES[user.role]}
    </p>
  );
}
