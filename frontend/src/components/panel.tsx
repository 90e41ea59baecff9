import { ArrowLeft } from "lucide-react";
import { type ReactNode, useId } from "react";
import { Link } from "react-router-dom";
import { cn } from "@/lib/class-names";
import { usePageTitle } from "@/lib/page-title";

type PanelProps = { title?: string; actions?: ReactNode; className?: string; children: ReactNode };

/** A raised surface; with a title it is a section of its own. */
export function Panel({ title, actions, className, children }: PanelProps) {
  const id = useId();
  if (title === undefined) return <div className={cn("rounded-panel bg-panel p-5", className)}>{children}</div>;
  return (
    <section aria-labelledby={id} className={cn("rounded-panel bg-panel p-5", className)}>
      <div className="mb-4 flex flex-wrap items-center justify-between gap-3">
        <h2 id={id} className="text-16 font-semibold">
          {title}
        </h2>
        {actions}
      </div>
      {children}
    </section>
  );
}

type StatProps = { label: string; value: ReactNode; hint?: ReactNode; className?: string };

/** One figure with its name, inside a description list. */
export function Stat({ label, value, hint, className }: StatProps) {
  return (
    <div className={cn("grid content-start gap-1", className)}>
      <dt className="text-13 text-ink-3">{label}</dt>
      <dd className="text-20 font-semibold">{value}</dd>
      {hint !== undefined && <dd className="text-13 text-ink-2">{hint}</dd>}
    </div>
  );
}

type PageHeaderProps = { title: string; subtitle?: ReactNode; actions?: ReactNode; backTo?: { to: string; label: string } };

/** A page's heading, which also names the browser's tab. */
export function PageHeader({ title, subtitle, actions, backTo }: PageHeaderProps) {
  usePageTitle(title);
  return (
    <header className="flex flex-wrap items-end justify-between gap-4">
      <div className="grid gap-1">
        {backTo && (
          <Link to={backTo.to} className="target -ml-1 inline-flex items-center gap-1.5 px-1 text-13 text-ink-2 hover:text-ink">
            <ArrowLeft aria-hidden className="size-4" />
            {backTo.label}
          </Link>
        )}
        <h1 className="text-28 font-bold" tabIndex={-1}>
          {title}
        </h1>
        {subtitle !== undefined && <p className="max-w-[64ch] text-14 text-ink-2">{subtitle}</p>}
      </div>
      {actions}
    </header>
  );
}
