import { PageHeader } from "@/components";
import { SettingsView } from "@/features/settings";
import { StepUpHost } from "../step-up-host";
import { PageFrame } from "./page-frame";

export default function SettingsPage() {
  return (
    <PageFrame>
      <PageHeader title="Settings" />
      <SettingsView />
      <StepUpHost />
    </PageFrame>
  );
}
