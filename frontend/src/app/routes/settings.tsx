import { PageHeader } from "@/components";
import { SettingsView } from "@/features/settings";
import { PageFrame } from "./page-frame";

export default function SettingsPage() {
  return (
    <PageFrame>
      <PageHeader title="Settings" />
      <SettingsView />
    </PageFrame>
  );
}
