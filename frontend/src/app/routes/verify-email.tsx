import { PageHeader } from "@/components";
import { VerifyEmail } from "@/features/recovery";
import { PageFrame } from "./page-frame";

export default function VerifyEmailPage() {
  return (
    <div className="mx-auto w-full max-w-[640px]">
      <PageFrame>
        <PageHeader title="Confirm Your E-Mail Address" subtitle="With the link from your mail." />
        <VerifyEmail />
      </PageFrame>
    </div>
  );
}
