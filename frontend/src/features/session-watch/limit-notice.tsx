import { useEffect, useRef, useState } from "react";
import { Button, Dialog, dismissErrors, LinkButton } from "@/components";
import { isPermanent, LIMITS_ADDRESS, localTimeText } from "@/lib/limit-texts";
import { onRefusedPlay, type RefusedPlay } from "./refused-plays";

/** Explains a bet that the player's own limits or exclusion have refused, and leads to them. */
export function LimitNotice({ onExcluded }: { onExcluded(): void }) {
  const [refused, setRefused] = useState<RefusedPlay | null>(null);
  const excluded = useRef(onExcluded);
  useEffect(() => {
    excluded.current = onExcluded;
  });
  useEffect(
    () =>
      onRefusedPlay((next) => {
        setRefused(next);
        // Another device has asked for it.
        if (next.isExcluded) excluded.current();
      }),
    [],
  );
  useEffect(() => {
    if (refused === null) return undefined;
    // The game's own message says the same.
    const timer = setTimeout(dismissErrors);
    return () => clearTimeout(timer);
  }, [refused]);
  if (refused === null) return null;
  const { title, message, until } = refused;
  const close = () => setRefused(null);
  return (
    <Dialog
      open
      onOpenChange={close}
      title={title}
      description={message}
      footer={
        <>
          <Button onClick={close}>Close</Button>
          <LinkButton to={LIMITS_ADDRESS} variant="primary" onClick={close}>
            Your limits
          </LinkButton>
        </>
      }
    >
      <p className="text-pretty text-14 text-ink-2">
        {isPermanent(until) ? "Your exclusion never ends." : `By your clock: ${localTimeText(until)}.`} Rounds in play
        can be finished, and you can withdraw your money at any time.
      </p>
    </Dialog>
  );
}
