import type { ReactNode } from "react";
import { Link } from "react-router-dom";
import { Badge, Button, LinkButton } from "@/components";
import type { AnnouncedGame, GameDefinition } from "@/games/definition";
import { useGameStatuses } from "@/games/game-status";
import { quarterText, STARTER_GAME } from "@/games/registry";
import { cn } from "@/lib/class-names";
import { formatExactPercent } from "@/lib/format";

type LandingProps = { isSignedIn: boolean; onSignUp(): void; demonstration: ReactNode };

/** The landing page, which lets visitors try how the games work. */
export function Landing({ isSignedIn, onSignUp, demonstration }: LandingProps) {
  return (
    <div className="mx-auto w-full max-w-[1180px] px-4 lg:px-8">
      <p className="mt-4 rounded-control bg-panel px-4 py-2.5 text-13 text-ink-2">
        <strong className="text-ink">In development.</strong> This site is not open to the public yet.
      </p>
      <Hero isSignedIn={isSignedIn} onSignUp={onSignUp} demonstration={demonstration} />
      <FeaturedGames isSignedIn={isSignedIn} />
      <Philosophy />
      <ComingSoon />
      <ClosingCall isSignedIn={isSignedIn} onSignUp={onSignUp} />
      <Footer />
    </div>
  );
}

function Actions({ isSignedIn, onSignUp }: Omit<LandingProps, "demonstration">) {
  return (
    <div className="flex flex-wrap gap-3">
      {isSignedIn ? (
        <>
          <LinkButton to="/dashboard" size="large">
            Dashboard
          </LinkButton>
          <LinkButton to={STARTER_GAME.path} variant="primary" size="large">
            Play Now
          </LinkButton>
        </>
      ) : (
        <>
          <Button variant="primary" size="large" onClick={onSignUp}>
            Create Account
          </Button>
          <LinkButton to="/auth" size="large">
            Login
          </LinkButton>
        </>
      )}
    </div>
  );
}

function Hero({ demonstration, ...actions }: LandingProps) {
  return (
    <section className="grid items-center gap-10 py-12 lg:grid-cols-[7fr_5fr] lg:gap-16 lg:py-20">
      <div className="grid gap-6">
        <h1 className="max-w-[11ch] text-40 font-bold lg:text-64" tabIndex={-1}>
          The casino you can see through
        </h1>
        <p className="max-w-[52ch] text-16 text-ink-2">
          Before you bet, the house commits to its secret and shows you the hash. Afterwards you recompute the result
          yourself. The dice here do exactly that, in your browser, right now.
        </p>
        <Actions {...actions} />
      </div>
      {demonstration}
    </section>
  );
}

/** The featured entries of the given games, in order. */
const featuredOf = (games: readonly GameDefinition[]) =>
  games
    .flatMap((game) => (game.featured ? [{ game, ...game.featured }] : []))
    .toSorted((one, other) => one.position - other.position);

function FeaturedGames({ isSignedIn }: { isSignedIn: boolean }) {
  const { playable, statusOf } = useGameStatuses();
  return (
    <section aria-labelledby="games" className="border-t border-line py-12">
      <h2 id="games" className="display mb-6 text-28 font-bold">
        Featured games
      </h2>
      <ul className="grid gap-2">
        {featuredOf(playable).map(({ game, tagline, rtp }, index) => (
          <li key={game.id}>
            <Link
              to={isSignedIn ? game.path : "/auth"}
              className={`grid items-baseline gap-x-6 gap-y-1 rounded-panel bg-panel px-5 py-5 transition-colors duration-[120ms] hover:bg-raised md:grid-cols-[220px_1fr_260px] ${index === 0 ? "md:py-8" : ""}`}
            >
              <span className={`display font-bold ${index === 0 ? "text-28" : "text-20"}`}>
                {game.name}
                {statusOf(game) === "paused" && (
                  <Badge tone="notice" className="ml-3 font-sans tracking-normal">
                    Paused
                  </Badge>
                )}
              </span>
              <span className="text-14 text-ink-2">{tagline}</span>
              <span className="text-14">
                <span className="text-ink-3">RTP </span>
                {rtp}
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Philosophy() {
  const { rtp } = STARTER_GAME;
  const houseEdge = String(100 - Number(rtp.percent));
  return (
    <section aria-labelledby="philosophy" className="grid gap-8 border-t border-line py-12 lg:grid-cols-[5fr_7fr]">
      <h2 id="philosophy" className="display max-w-[14ch] text-28 font-bold">
        Our philosophy: nothing behind the curtain
      </h2>
      <dl className="grid gap-6 sm:grid-cols-2">
        <div>
          <dt className="font-semibold">Provably fair games</dt>
          <dd className="mt-1 text-14 text-ink-2">
            Seeds, nonces and HMAC-SHA256, by a published scheme. Every settled round can be recomputed.
          </dd>
        </div>
        <div>
          <dt className="font-semibold">Transparent return-to-player</dt>
          <dd className="mt-1 text-14 text-ink-2">
            {STARTER_GAME.name} returns {formatExactPercent(rtp.percent)}: the house keeps{" "}
            {formatExactPercent(houseEdge)}. Exact numbers, checked against the code by tests, and{" "}
            <Link to="/transparency" className="text-ink underline underline-offset-4 hover:text-brass">
              measured over all rounds
            </Link>
            .
          </dd>
        </div>
        <div>
          <dt className="font-semibold">Secure gaming</dt>
          <dd className="mt-1 text-14 text-ink-2">
            Every cent that moves is an entry in a ledger that cannot be rewritten.
          </dd>
        </div>
        <div>
          <dt className="font-semibold">24/7 support</dt>
          <dd className="mt-1 text-14 text-ink-2">Someone answers at any hour.</dd>
        </div>
      </dl>
    </section>
  );
}

/** Sorts by date; games without one come last. */
const quartersOf = ({ expected }: AnnouncedGame): number =>
  expected ? expected.year * 4 + expected.quarter : Infinity;
const inOrder = (games: readonly AnnouncedGame[]) =>
  games.toSorted((one, other) =>
    quartersOf(one) < quartersOf(other) ? -1 : Number(quartersOf(one) > quartersOf(other)),
  );

function ComingSoon() {
  const { announced } = useGameStatuses();
  return (
    <section aria-labelledby="coming" className="border-t border-line py-12">
      <h2 id="coming" className="display mb-6 text-28 font-bold">
        Coming soon
      </h2>
      <ul className="flex flex-wrap gap-x-10 gap-y-4">
        {inOrder(announced).map(({ id, name, expected }) => (
          <li key={id} className="flex items-center gap-3 text-16">
            {name}
            {expected && <Badge>{quarterText(expected)}</Badge>}
          </li>
        ))}
      </ul>
    </section>
  );
}

function ClosingCall(actions: Omit<LandingProps, "demonstration">) {
  return (
    <section
      aria-labelledby="closing"
      className="flex flex-wrap items-center justify-between gap-6 rounded-panel bg-panel px-6 py-10 lg:px-10"
    >
      <div className="grid gap-3">
        <h2 id="closing" className="display max-w-[20ch] text-28 font-bold">
          Do not trust the house. Check it.
        </h2>
        <p className="max-w-[44ch] text-14 text-ink-2">
          Every settled round is in a public log that the house signs and cannot change unnoticed. Your browser verifies
          it.
        </p>
        <LinkButton
          to="/transparency"
          variant="ghost"
          className="-ml-4 justify-self-start underline underline-offset-4"
        >
          See the public record
        </LinkButton>
      </div>
      <Actions {...actions} />
    </section>
  );
}

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

const SUPPORT = ["Help Center", "Responsible Gaming", "FAQ"];
const LEGAL = ["Terms of Service", "Privacy Policy", "Licences"];

function Footer() {
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
        {SUPPORT.map((label) => (
          <IdleEntry key={label} label={label} />
        ))}
      </FooterColumn>
      <FooterColumn title="Legal">
        {LEGAL.map((label) => (
          <IdleEntry key={label} label={label} />
        ))}
      </FooterColumn>
      <FooterColumn title="Contact" className="max-md:col-span-full">
        <li className="text-ink-2">24/7 live chat</li>
        <li className="break-all text-ink-2">support@glasshouse.example</li>
      </FooterColumn>
      <p className="col-span-full text-13 text-ink-3">© 2023 Glasshouse. All rights reserved.</p>
    </footer>
  );
}
