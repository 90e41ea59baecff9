import type { ReactNode, Ref } from "react";
import { AdminShell } from "@/features/admin/shell/admin-shell";
import { useAppDialogs } from "./providers/dialogs";
import { StepUpHost } from "./step-up-host";
import { useLogOut } from "./use-log-out";

/** The frame of all screens of the panel, for administrators. */
export default function AdminFrame({ main, children }: { main: Ref<HTMLElement>; children: ReactNode }) {
  const { openSearch, openHotkeys } = useAppDialogs();
  const logOut = useLogOut();
  return (
    <AdminShell main={main} openSearch={openSearch} openShortcuts={openHotkeys} logOut={() => void logOut()}>
      {children}
      <StepUpHost />
    </AdminShell>
  );
}
