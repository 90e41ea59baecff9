import { PageHeader } from "@/components";
import { NotYet } from "./not-yet";
import { PageFrame } from "./page-frame";

export default function StonksPage() {
  return (
    <PageFrame>
      <PageHeader title="Stonks" subtitle="Sell before the simulated market crashes to zero." />
      <NotYet game="stonks" />
    </PageFrame>
  );
}
