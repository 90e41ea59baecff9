import { WithdrawalPage } from "@/features/admin";
import { useParams } from "@/lib/address";
import { AdministratorsOnly } from "./administrators-only";

export default function AdminWithdrawalPage() {
  const { withdrawalId = "" } = useParams();
  return (
    <AdministratorsOnly>
      <WithdrawalPage key={withdrawalId} withdrawalId={withdrawalId} />
    </AdministratorsOnly>
  );
}
