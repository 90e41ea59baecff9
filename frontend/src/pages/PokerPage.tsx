import { PageHeader } from "@/components";
import { NotYet } from "./not-yet";
import { PageFrame } from "./page-frame";

export default function PokerPage() {
  return (
    <PageFrame>
      <PageHeader title="Jacks or Better Video Poker" backTo={{ to: "/", label: "Back" }} />
      <NotYet game="poker" />
    </PageFrame>
  );
}
