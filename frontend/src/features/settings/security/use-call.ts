import { useRef, useState } from "react";
import { errorMessage } from "@/api/client";
import { StepUpCancelled } from "@/api/step-up";
import { toast } from "@/components";

/** Makes one call at a time; one that was not confirmed does nothing. */
export function useCall() {
  const isRunning = useRef(false);
  const [running, setRunning] = useState<string>();
  async function run(name: string, call: () => Promise<void>) {
    if (isRunning.current) return;
    isRunning.current = true;
    setRunning(name);
    try {
      await call();
    } catch (error) {
      if (error instanceof StepUpCancelled) return;
      toast({ title: "Error", description: errorMessage(error, "Something went wrong"), variant: "destructive" });
    } finally {
      isRunning.current = false;
      setRunning(undefined);
    }
  }
  return { running, run };
}
