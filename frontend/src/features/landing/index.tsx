import type { ReactNode } from "react";
import { Badge } from "@/components/badge";
import { LinkButton } from "@/components/button";
import { quarterText, useAnnouncedGames } from "@/games/announced";
import type { AnnouncedGame } from "@/games/definition";
import { STARTER_GAME } from "@/games/registry";
import { Link } from "@/lib/address";
import { formatExactPercent } from "@/lib/format";
import { FeaturedGames } from "./featured-games";
import { Footer } from "./footer";
import { Actions, type ActionsProps, Hero } from "./hero";

/** The landing page, which lets visitors try how the games work. */
export function Landing({ isSignedIn, onSignUp, demonstration }: ActionsProps & { demonstration: ReactNode }) {
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
            <p>
              {STARTER_GAME.name} returns {formatExactPercent(rtp.percent)}: the house keeps{" "}
              {formatExactPercent(houseEdge)}. Exact numbers, checked against the code by tests, and{" "}
              <Link to="/transparency" className="text-ink underline underline-offset-4 hover:text-brass">
                measured over all rounds
              </Link>
              .
            </p>
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
  const announced = useAnnouncedGames();
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

function ClosingCall(actions: ActionsProps) {
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
