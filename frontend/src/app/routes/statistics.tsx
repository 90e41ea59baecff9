import { LinkButton, PageHeader } from "@/components";
import { StatisticsView } from "@/features/statistics";
import { PageFrame } from "./page-frame";

export default function StatisticsPage() {
  return (
    <PageFrame>
      <PageHeader
        title="Statistics"
        actions={
          <LinkButton to="/history" variant="ghost" size="small">
            Game History
          </LinkButton>
        }
      />
      <StatisticsView />
    </PageFrame>
  );
}
