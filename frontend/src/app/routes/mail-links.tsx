import { PageHeader } from "@/components";
import { ForgotPassword, NewPassword, VerifyEmail } from "@/features/recovery";
import { useLocation } from "@/lib/address";
import { PageFrame } from "./page-frame";

/** What has to do with links in mails: asking for one, and what they lead to. */
const PAGES = {
  "/forgot-password": {
    title: "Forgot Password",
    subtitle: "We send you a link with which you can choose a new one.",
    Content: ForgotPassword,
  },
  "/new-password": { title: "Choose a New Password", subtitle: "With the link from your mail.", Content: NewPassword },
  "/verify-email": {
    title: "Confirm Your E-Mail Address",
    subtitle: "With the link from your mail.",
    Content: VerifyEmail,
  },
};

export default function MailLinksPage() {
  const { pathname } = useLocation();
  const { title, subtitle, Content } = PAGES[pathname as keyof typeof PAGES] ?? PAGES["/forgot-password"];
  return (
    <div className="mx-auto w-full max-w-[640px]">
      <PageFrame>
        <PageHeader title={title} subtitle={subtitle} />
        <Content />
      </PageFrame>
    </div>
  );
}
