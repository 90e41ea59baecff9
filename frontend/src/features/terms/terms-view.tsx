import { useEffect } from "react";
import { errorMessage } from "@/api/client";
import { useQuery } from "@/api/hooks";
import { useUser } from "@/api/session";
import { ErrorState, Panel, Skeleton } from "@/components";
import { useLocation } from "@/lib/address";
import { formatDate } from "@/lib/format";
import { Acceptance } from "./acceptance";
import { type Block, blocksOf } from "./blocks";

function TermsBlock({ block }: { block: Block }) {
  if (block.kind === "heading") {
    return (
      <h2 id={block.id} className="mt-3 scroll-mt-20 text-16 font-semibold text-ink">
        {block.text}
      </h2>
    );
  }
  if (block.kind === "paragraph") return <p className="text-pretty">{block.text}</p>;
  return (
    <ul className="grid list-disc gap-1.5 pl-5">
      {block.items.map((item, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- the text does not change while it is shown
        <li key={index} className="text-pretty">
          {item}
        </li>
      ))}
    </ul>
  );
}

/** The Terms of Service in force, and for players, their acceptance. */
export function TermsView() {
  const user = useUser();
  const { hash } = useLocation();
  const { data: terms, error, mutate } = useQuery("/api/terms");
  const isShown = terms !== undefined;
  useEffect(() => {
    // The heading was not there yet when the browser looked for it.
    if (isShown && hash !== "") document.getElementById(decodeURIComponent(hash.slice(1)))?.scrollIntoView();
  }, [isShown, hash]);
  if (error && !terms) {
    return (
      <ErrorState
        title="The Terms of Service could not be loaded"
        description={errorMessage(error, "Something went wrong")}
        onRetry={() => void mutate()}
      />
    );
  }
  if (!terms) return <Skeleton className="h-[480px] max-w-[860px]" />;
  return (
    <div className="grid max-w-[860px] grid-cols-[minmax(0,1fr)] gap-4 lg:gap-5">
      <Panel>
        <p className="mb-4 text-13 text-ink-3">
          Version {terms.version}, published on {formatDate(terms.publishedAt)}
        </p>
        <div className="grid gap-3 text-14 text-ink-2 [overflow-wrap:anywhere]">
          {blocksOf(terms.text).map((block, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- the text does not change while it is shown
            <TermsBlock key={index} block={block} />
          ))}
        </div>
      </Panel>
      {user && <Acceptance key={terms.version} version={terms.version} onChanged={() => void mutate()} />}
    </div>
  );
}
