import { PageHeader } from "@/components";
import { TermsView } from "@/features/terms";
import { PageFrame } from "./page-frame";

export default function TermsPage() {
  return (
    <PageFrame>
      <PageHeader
        title="Terms of Service"
        subtitle="What applies between you and the house, and what it does with your data."
      />
      <TermsView />
    </PageFrame>
  );
}
