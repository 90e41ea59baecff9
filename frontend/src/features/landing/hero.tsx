import type { ReactNode } from "react";
import { Button, LinkButton } from "@/components/button";
import { GamePicture } from "@/games/game-preview";
import { STARTER_GAME, TIMED_GAMES } from "@/games/registry";

export type ActionsProps = { isSignedIn: boolean; onSignUp(): void };

/** What a visitor or a player does next. */
export function Actions({ isSignedIn, onSignUp }: ActionsProps) {
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

/** The hero's background line: the curve of a game that runs on a clock. */
const [BACKDROP] = TIMED_GAMES;

/** The first thing that a visitor sees. */
export function Hero({ demonstration, ...actions }: ActionsProps & { demonstration: ReactNode }) {
  return (
    <section className="relative isolate grid items-center gap-10 py-12 lg:grid-cols-[7fr_5fr] lg:gap-16 lg:py-20">
      {BACKDROP && (
        <GamePicture
          game={BACKDROP}
          isBackdrop
          className="!absolute -inset-x-4 bottom-0 -z-10 h-3/5 !bg-transparent opacity-40 [mask-image:linear-gradient(to_right,transparent,black_30%)] lg:-inset-x-8 lg:h-4/5"
        />
      )}
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
