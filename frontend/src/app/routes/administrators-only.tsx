import type { ReactNode } from "react";
import { useUser } from "@/api/session";
import { PageTitle } from "@/components";
import { AccessDenied } from "@/features/admin";
import { PageFrame } from "./page-frame";

/** A screen of the panel; everybody else is told that it is for administrators. */
export function AdministratorsOnly({ children }: { children: ReactNode }) {
  if (useUser()?.isAdmin === true) return children;
  return (
    <PageFrame>
      <PageTitle title="Admin Panel" />
      <AccessDenied />
    </PageFrame>
  );
}
