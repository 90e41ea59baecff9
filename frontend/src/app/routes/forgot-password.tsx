import { PageHeader } from "@/components";
import { ForgotPassword } from "@/features/recovery";
import { PageFrame } from "./page-frame";

export default function ForgotPasswordPage() {
  return (
    <div className="mx-auto w-full max-w-[640px]">
      <PageFrame>
        <PageHeader title="Forgot Password" subtitle="We send you a link with which you can choose a new one." />
        <ForgotPassword />
      </PageFrame>
    </div>
  );
}
