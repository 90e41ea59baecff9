import { PageHeader } from "@/components";
import { HistoryView } from "@/features/history";
import { useAppDialogs } from "../providers/dialogs";
import { PageFrame } from "./page-frame";

export default function HistoryPage() {
  const { openFairness } = useAppDialogs();
  return (
    <PageFrame>
      <PageHeader title="Game History" />
      <HistoryView onVerifyRound={openFairness} />
    </PageFrame>
  );
}
