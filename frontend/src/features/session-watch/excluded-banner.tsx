import { CircleAlert } from "lucide-react";
import { useEffect, useRef } from "react";
import { LinkButton } from "@/components";
import { isPermanent, LIMITS_ADDRESS, localTimeText } from "@/lib/limit-texts";

/** Timers cannot be longer. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Says on every page that the player is excluded, until when, and what is still possible. */
export function ExcludedBanner({ until, onOver }: { until: string; onOver(): void }) {
  const over = useRef(onOver);
  useEffect(() => {
    over.current = onOver;
  });
  useEffect(() => {
    // A second later, because clocks differ.
    const waitMs = Date.parse(until) - Date.now() + 1000;
    if (waitMs > MAX_TIMER_MS) return undefined;
    const timer = setTimeout(() => over.current(), Math.max(0, waitMs));
    return () => clearTimeout(timer);
  }, [until]);
  return (
    <section
      aria-label="Exclusion"
      className="flex flex-wrap items-center gap-x-6 gap-y-1 border-b-2 border-notice bg-raised px-4 py-2 text-14 lg:px-6"
    >
      <p className="flex min-w-0 flex-1 basis-[20rem] gap-3 text-pretty">
        <CircleAlert aria-hidden className="mt-0.5 size-5 shrink-0 text-notice" />
        <span>
          <strong className="font-semibold">
            {isPermanent(until)
              ? "You have excluded yourself permanently."
              : `You have excluded yourself until ${localTimeText(until)}.`}
          </strong>{" "}
          You cannot bet or deposit. You can finish rounds in play and withdraw your money.
        </span>
      </p>
      <div className="flex flex-wrap">
        <LinkButton to={LIMITS_ADDRESS} variant="ghost" size="small">
          Your exclusion
        </LinkButton>
        <LinkButton to="/responsible-gaming" variant="ghost" size="small">
          Find help
        </LinkButton>
      </div>
    </section>
  );
}
