import { ArrowLeft } from "lucide-react";
import { type ReactNode, useId } from "react";
import { Link } from "@/lib/address";
import { cn } from "@/lib/class-names";
import { PageTitle } from "./page-title";

type PanelProps = { title?: string; actions?: ReactNode; className?: string; children: ReactNode };

/** A raised surface; with a title it is a section. */
export function Panel({ title, actions, className, children }: PanelProps) {
  const id = useId();
  if (title === undefined) return <div className={cn("panel", className)}>{children}</div>;
  return (
    <section aria-labelledby={id} className={cn("panel", className)}>
      <div className="mb-4 flex flex-wrap items-center justify-between gap-x-3">
        <h2 id={id} className="text-16 font-semibold">
          {title}
        </h2>
        {/* As tall as the heading, so that adjacent headings align with and without actions. */}
        {actions !== undefined && <div className="-my-2.5 flex flex-wrap gap-2 max-sm:my-0">{actions}</div>}
      </div>
      {children}
    </section>
  );
}

type StatProps = { label: string; value: ReactNode; hint?: ReactNode; className?: string };

/** One figure with its name, inside a description list. */
export function Stat({ label, value, hint, className }: StatProps) {
  return (
    <div className={cn("grid min-w-0 content-start gap-1", className)}>
      <dt className="text-13 text-ink-3">{label}</dt>
      <dd className="text-20 font-semibold [overflow-wrap:anywhere]">{value}</dd>
      {hint !== undefined && <dd className="text-13 text-ink-2">{hint}</dd>}
    </div>
  );
}

type PageHeaderProps = {
  title: string;
  /** Smaller text above the title. */
  kicker?: string;
  subtitle?: ReactNode;
  actions?: ReactNode;
  backTo?: { to: string; label: string };
  /** A game screen: on a phone the stage comes first, so the header is as compact as possible. */
  isGame?: boolean;
};

/** A page's heading, which also sets the document title. */
export function PageHeader({ title, kicker, subtitle, actions, backTo, isGame = false }: PageHeaderProps) {
  return (
    <header
      className={cn(
        "flex flex-wrap items-start justify-between gap-x-4 gap-y-2",
        isGame && "max-lg:flex-nowrap max-lg:items-center low:order-last",
        // On a phone the stage needs the room, and the bottom bar shows which game it is.
        isGame && actions === undefined && backTo === undefined && "max-lg:sr-only",
      )}
    >
      <PageTitle title={title} />
      <div className="grid min-w-0 gap-1">
        {kicker !== undefined && <p className="text-14 text-ink-2">{kicker}</p>}
        <h1 className={cn("text-28 font-bold", isGame && "max-lg:text-20")} tabIndex={-1}>
          {title}
        </h1>
        {subtitle !== undefined && (
          <p className={cn("max-w-[64ch] text-14 text-ink-2", isGame && "max-lg:hidden")}>{subtitle}</p>
        )}
      </div>
      {(actions !== undefined || backTo !== undefined) && (
        <div className="flex shrink-0 items-center gap-1">
          {backTo && (
            <Link
              to={backTo.to}
              className={cn(
                "target inline-flex min-w-11 items-center justify-center gap-1.5 rounded-control px-2 text-13 text-ink-2 hover:bg-raised hover:text-ink",
                isGame && "max-lg:order-last",
              )}
            >
              <ArrowLeft aria-hidden className="size-4" />
              <span className={cn(isGame && "max-sm:sr-only")}>{backTo.label}</span>
            </Link>
          )}
          {actions}
        </div>
      )}
    </header>
  );
}
