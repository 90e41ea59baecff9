import { useEffect } from "react";
import { useLocation } from "@/lib/address";
import type { SessionEnd } from "@/api/session";
import { dismissToast, LinkButton, PageHeader, toast } from "@/components";
import { returningTo } from "@/lib/requested-page";

/** Replaces the page the user was on when the session ended. */
export default function SessionOver({ end }: { end: SessionEnd }) {
  const { title, text } = end;
  const location = useLocation();
  useEffect(() => {
    const id = toast({ title, description: text, variant: "destructive", isReason: true });
    return () => dismissToast(id);
  }, [title, text]);
  return (
    <div className="mx-auto grid w-full max-w-[1180px] gap-6 p-4 lg:p-6">
      <PageHeader title={title} subtitle={text} />
      <LinkButton to="/auth" state={returningTo(location)} variant="primary" className="justify-self-start">
        Go to Login
      </LinkButton>
    </div>
  );
}
