import { PaymentPage } from "@/features/admin";
import { useParams } from "@/lib/address";
import { AdministratorsOnly } from "./administrators-only";

export default function AdminPaymentPage() {
  const { paymentId = "" } = useParams();
  return (
    <AdministratorsOnly>
      <PaymentPage key={paymentId} paymentId={paymentId} />
    </AdministratorsOnly>
  );
}
