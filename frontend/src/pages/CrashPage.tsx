import { PageHeader } from "@/components";
import { NotYet } from "./not-yet";
import { PageFrame } from "./page-frame";

export default function CrashPage() {
  return (
    <PageFrame>
      <PageHeader title="Crash" subtitle="Cash out before the multiplier crashes." />
      <NotYet game="crash" />
    </PageFrame>
  );
}
