import { PageHeader } from "@/components";
import { TransparencyView } from "@/features/transparency";
import { PageFrame } from "./page-frame";

export default function TransparencyPage() {
  return (
    <PageFrame>
      <PageHeader
        title="Transparency"
        subtitle="What the games have returned, and the public record of every settled round. Your browser verifies what it shows here."
      />
      <TransparencyView />
    </PageFrame>
  );
}
