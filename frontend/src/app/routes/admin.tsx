import { useUser } from "@/api/session";
import { PageHeader } from "@/components";
import { AccessDenied, AdminPanel } from "@/features/admin";
import { usePageTitle } from "@/lib/page-title";
import { PageFrame } from "./page-frame";

export default function AdminPage() {
  const isAdmin = useUser()?.isAdmin === true;
  usePageTitle("Admin Panel");
  return (
    <PageFrame>
      {isAdmin ? (
        <>
          <PageHeader title="Admin Panel" />
          <AdminPanel />
        </>
      ) : (
        <AccessDenied />
      )}
    </PageFrame>
  );
}
