import { FileText } from "lucide-react";
import { LinkButton } from "@/components";

/** Says on every page that the player must accept the Terms of Service, and what is possible without it. */
export function TermsBanner() {
  return (
    <section
      aria-label="Terms of Service"
      className="flex flex-wrap items-center gap-x-6 gap-y-1 border-b-2 border-notice bg-raised px-4 py-2 text-14 lg:px-6"
    >
      <p className="flex min-w-0 flex-1 basis-[20rem] gap-3 text-pretty">
        <FileText aria-hidden className="mt-0.5 size-5 shrink-0 text-notice" />
        <span>
          <strong className="font-semibold">There are new Terms of Service.</strong> Until you accept them, you cannot
          bet or deposit. You can finish rounds in play and withdraw your money.
        </span>
      </p>
      <LinkButton to="/terms" variant="ghost" size="small">
        Read and accept
      </LinkButton>
    </section>
  );
}
