import { useUser } from "@/api/session";
import { PageHeader, PageTitle } from "@/components";
import { AccessDenied, AdminPanel } from "@/features/admin";
import { StepUpHost } from "../step-up-host";
import { PageFrame } from "./page-frame";

export default function AdminPage() {
  const isAdmin = useUser()?.isAdmin === true;
  return (
    <PageFrame>
      {isAdmin ? (
        <>
          <PageHeader title="Admin Panel" />
          <AdminPanel />
          <StepUpHost />
        </>
      ) : (
        <>
          <PageTitle title="Admin Panel" />
          <AccessDenied />
        </>
      )}
    </PageFrame>
  );
}
