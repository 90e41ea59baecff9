import { LinkButton, PageHeader } from "@/components";
import { PageFrame } from "./page-frame";

export default function NotFoundPage() {
  return (
    <PageFrame>
      <PageHeader title="404 Page Not Found" subtitle="Did you forget to add the page to the router?" />
      <LinkButton to="/" className="justify-self-start">
        Go home
      </LinkButton>
    </PageFrame>
  );
}
