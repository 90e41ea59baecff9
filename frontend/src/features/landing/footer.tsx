import type { ReactNode } from "react";
import { useGameStatuses } from "@/games/game-status";
import { Link } from "@/lib/address";
import { cn } from "@/lib/class-names";

function IdleEntry({ label }: { label: string }) {
  return (
    <li>
      <span className="text-ink-3" title="Not available yet">
        {label}
        <span className="sr-only"> (not available yet)</span>
      </span>
    </li>
  );
}

function FooterColumn({ title, className, children }: { title: string; className?: string; children: ReactNode }) {
  return (
    <div className={cn("min-w-0", className)}>
      <h2 className="mb-1 text-13 font-semibold">{title}</h2>
      <ul className="grid text-14 [&>li]:flex [&>li]:min-h-11 lg:[&>li]:min-h-8 [&>li]:items-center">{children}</ul>
    </div>
  );
}

function FooterLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <li>
      <Link
        to={to}
        className="flex min-h-11 flex-1 items-center text-ink-2 underline-offset-4 hover:text-ink hover:underline lg:min-h-8"
      >
        {children}
      </Link>
    </li>
  );
}

/** The links at the end of the landing page. */
export function Footer() {
  const { playable } = useGameStatuses();
  return (
    <footer className="mt-12 grid grid-cols-2 gap-8 border-t border-line py-10 md:grid-cols-5">
      <FooterColumn title="Games">
        {playable
          .filter(({ isInFooter }) => isInFooter)
          .map(({ path, shortLabel }) => (
            <FooterLink key={path} to={path}>
              {shortLabel}
            </FooterLink>
          ))}
      </FooterColumn>
      <FooterColumn title="Fairness">
        <FooterLink to="/transparency">Public record</FooterLink>
        <FooterLink to="/transparency#verifier-key">Verifier key</FooterLink>
      </FooterColumn>
      <FooterColumn title="Support">
        <IdleEntry label="Help Center" />
        <FooterLink to="/responsible-gaming">Responsible Gaming</FooterLink>
        <IdleEntry label="FAQ" />
      </FooterColumn>
      <FooterColumn title="Legal">
        <FooterLink to="/terms">Terms of Service</FooterLink>
        <FooterLink to="/terms#privacy-policy">Privacy Policy</FooterLink>
        <IdleEntry label="Licences" />
      </FooterColumn>
      <FooterColumn title="Contact" className="max-md:col-span-full">
        <li className="text-ink-2">24/7 live chat</li>
        <li className="break-all text-ink-2">support@glasshouse.example</li>
      </FooterColumn>
      <p className="col-span-full text-13 text-ink-3">© 2023 Glasshouse. All rights reserved.</p>
    </footer>
  );
}
