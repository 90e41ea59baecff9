import { RoundPage } from "@/features/admin";
import { useParams } from "@/lib/address";
import { AdministratorsOnly } from "./administrators-only";

export default function AdminRoundPage() {
  const { roundId = "" } = useParams();
  return (
    <AdministratorsOnly>
      <RoundPage key={roundId} roundId={roundId} />
    </AdministratorsOnly>
  );
}
