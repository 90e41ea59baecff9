import { GraduationCap } from "lucide-react";
import { type ReactNode, useCallback, useEffect, useRef, useState } from "react";
import { errorMessage } from "@/api/client";
import { Button } from "@/components/button";
import { Panel } from "@/components/panel";
import { Spinner } from "@/components/spinner";
import { ErrorState } from "@/components/states";

type Step<A> = { at: "closed" } | { at: "loading" } | { at: "failed"; message: string } | { at: "shown"; analysis: A };

type TrainerProps<A> = { load(): Promise<A>; children(analysis: A): ReactNode };

/** Shows the best play of a finished hand on request. Key it by round, so that it resets with each hand. */
export function Trainer<A>({ load, children }: TrainerProps<A>) {
  const [step, setStep] = useState<Step<A>>({ at: "closed" });
  const isMounted = useRef(true);
  useEffect(() => {
    isMounted.current = true;
    return () => {
      isMounted.current = false;
    };
  }, []);
  const show = useCallback(async () => {
    setStep({ at: "loading" });
    const next: Step<A> = await load().then(
      (analysis) => ({ at: "shown", analysis }),
      (error: unknown) => ({ at: "failed", message: errorMessage(error, "Something went wrong") }),
    );
    if (isMounted.current) setStep(next);
  }, [load]);

  return (
    <Panel
      title="Trainer"
      actions={
        step.at === "shown" ? (
          <Button size="small" onClick={() => setStep({ at: "closed" })}>
            Hide the best play
          </Button>
        ) : (
          <Button size="small" loading={step.at === "loading"} onClick={() => void show()}>
            <GraduationCap aria-hidden className="size-4" />
            Show the best play
          </Button>
        )
      }
    >
      <div role="status">
        {step.at === "closed" && (
          <p className="text-14 text-ink-2">
            The hand is over: see what the best play would have been, and what yours was worth.
          </p>
        )}
        {step.at === "loading" && <Spinner label="Calculating" />}
        {step.at === "shown" && <p className="sr-only">The best play is shown.</p>}
      </div>
      {step.at === "failed" && (
        <ErrorState title="The best play could not be loaded" description={step.message} onRetry={() => void show()} />
      )}
      {step.at === "shown" && children(step.analysis)}
    </Panel>
  );
}
