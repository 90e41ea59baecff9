import { PageHeader } from "@/components";
import { NewPassword } from "@/features/recovery";
import { PageFrame } from "./page-frame";

export default function NewPasswordPage() {
  return (
    <div className="mx-auto w-full max-w-[640px]">
      <PageFrame>
        <PageHeader title="Choose a New Password" subtitle="With the link from your mail." />
        <NewPassword />
      </PageFrame>
    </div>
  );
}
