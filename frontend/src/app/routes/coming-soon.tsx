import { PageHeader } from "@/components";
import { ComingSoonList } from "@/features/coming-soon";
import { PageFrame } from "./page-frame";

export default function ComingSoonPage() {
  return (
    <PageFrame>
      <PageHeader
        title="Coming Soon"
        subtitle="What we plan to open next, and when we originally hoped to."
        backTo={{ to: "/dashboard", label: "Back to Dashboard" }}
      />
      <ComingSoonList />
    </PageFrame>
  );
}
