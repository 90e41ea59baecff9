import { LinkButton, PageHeader } from "@/components";
import { HistoryView } from "@/features/history";
import { useAppDialogs } from "../providers/dialogs";
import { PageFrame } from "./page-frame";

export default function HistoryPage() {
  const { openFairness } = useAppDialogs();
  return (
    <PageFrame>
      <PageHeader
        title="Game History"
        actions={
          <LinkButton to="/statistics" variant="ghost" size="small">
            Statistics
          </LinkButton>
        }
      />
      <HistoryView onVerifyRound={openFairness} />
    </PageFrame>
  );
}
