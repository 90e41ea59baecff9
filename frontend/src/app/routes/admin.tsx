import { useUser } from "@/api/session";
import { PageTitle } from "@/components";
import { AccessDenied, AdminPanel } from "@/features/admin";
import { PageFrame } from "./page-frame";

export default function AdminPage() {
  if (useUser()?.isAdmin === true) return <AdminPanel />;
  return (
    <PageFrame>
      <PageTitle title="Admin Panel" />
      <AccessDenied />
    </PageFrame>
  );
}
