import { AdminPanel } from "@/features/admin";
import { AdministratorsOnly } from "./administrators-only";

export default function AdminPage() {
  return (
    <AdministratorsOnly>
      <AdminPanel />
    </AdministratorsOnly>
  );
}
