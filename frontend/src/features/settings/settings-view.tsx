import { Suspense, useEffect, useRef } from "react";
import { Skeleton } from "@/components";
import { Link, useSearchParams } from "@/lib/address";
import { cn } from "@/lib/class-names";
import { addressOf, type Section, sectionOf, SECTIONS } from "./sections";

/** The settings of the account and of this browser, one section at a time. The address says which. */
export function SettingsView() {
  const [parameters] = useSearchParams();
  const { name, Content } = sectionOf(parameters.get("tab"));
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 lg:grid-cols-[184px_minmax(0,1fr)] lg:gap-6">
      <SectionLinks shown={name} />
      <div className="grid max-w-[720px] grid-cols-[minmax(0,1fr)] gap-4">
        <Suspense fallback={<SectionSkeleton />}>
          <Content key={name} />
        </Suspense>
      </div>
    </div>
  );
}

/** At the side of a desktop, and above the section on a phone. */
function SectionLinks({ shown }: { shown: Section["name"] }) {
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    // On a narrow phone they do not all fit.
    list.current?.querySelector(`[data-section="${shown}"]`)?.scrollIntoView({ block: "nearest", inline: "center" });
  }, [shown]);
  return (
    <nav aria-label="Settings" className="min-w-0 lg:sticky lg:top-20">
      <ul
        ref={list}
        className="flex gap-1 overflow-x-auto rounded-control bg-well p-1 lg:grid lg:gap-0.5 lg:bg-transparent lg:p-0"
      >
        {SECTIONS.map((section) => (
          <li key={section.name} data-section={section.name} className="flex-1">
            <SectionLink section={section} isShown={section.name === shown} />
          </li>
        ))}
      </ul>
    </nav>
  );
}

function SectionLink({ section, isShown }: { section: Section; isShown: boolean }) {
  const { label, Icon } = section;
  return (
    <Link
      to={addressOf(section)}
      aria-current={isShown ? "page" : undefined}
      className={cn(
        "target flex items-center justify-center gap-3 whitespace-nowrap rounded-chip px-1.5 text-14 sm:px-2 font-medium transition-colors duration-[120ms] hover:text-ink lg:justify-start lg:rounded-control lg:border-l-2 lg:px-3 lg:font-normal lg:hover:bg-raised",
        isShown ? "bg-raised text-ink lg:border-brass" : "text-ink-2 lg:border-transparent",
      )}
    >
      <Icon aria-hidden className="size-4 shrink-0 max-lg:hidden" />
      {label}
    </Link>
  );
}

function SectionSkeleton() {
  return (
    <>
      <p role="status" className="sr-only">
        Loading
      </p>
      <Skeleton className="h-[320px]" />
      <Skeleton className="h-[180px]" />
    </>
  );
}
