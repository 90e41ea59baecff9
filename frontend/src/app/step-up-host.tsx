import { Suspense, useCallback, useEffect, useRef, useState } from "react";
import { onStepUp } from "@/api/step-up";
import { lazyPart } from "@/lib/lazy-part";

const StepUpDialog = lazyPart(() => import("./step-up-dialog"));

/** Asks for a confirmation when a request of the screens beside it needs one. */
export function StepUpHost() {
  const [isAsking, setAsking] = useState(false);
  const waiting = useRef<((isConfirmed: boolean) => void)[]>([]);
  const answer = useCallback((isConfirmed: boolean) => {
    setAsking(false);
    for (const resolve of waiting.current.splice(0)) resolve(isConfirmed);
  }, []);
  useEffect(() => {
    const ask = () =>
      new Promise<boolean>((resolve) => {
        waiting.current.push(resolve);
        setAsking(true);
      });
    const forget = onStepUp(ask);
    return () => {
      forget();
      answer(false);
    };
  }, [answer]);
  if (!isAsking) return null;
  return (
    <Suspense fallback={null}>
      <StepUpDialog onConfirmed={() => answer(true)} onCancel={() => answer(false)} />
    </Suspense>
  );
}
