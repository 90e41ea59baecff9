// Decisions about money require that the password was entered recently. When the server asks for it, this shows the
// password dialog and then repeats the request.

import { standardSchemaResolver } from "@hookform/resolvers/standard-schema";
import { type ReactNode, createContext, use, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { useForm } from "react-hook-form";
import * as z from "zod/mini";
import { ApiError, errorCode, errorMessage } from "@/api/client";
import { Button, Dialog, Field, Input, toast } from "@/components";
import * as refusals from "@/lib/refusals";
import { useSingleSubmit } from "@/lib/use-single-submit";
import { stepUp } from "../api/admin";

/** The password was not entered, so the refusal stands and nothing was done. */
export class StepUpCancelled extends ApiError {}

export type StepUp = <T>(call: () => Promise<T>) => Promise<T>;
const StepUpContext = createContext<StepUp | null>(null);

/** Makes the request; if the server requires step-up, asks for the password and repeats it. */
export async function withStepUp<T>(call: () => Promise<T>, ask: () => Promise<boolean>): Promise<T> {
  for (;;) {
    try {
      // oxlint-disable-next-line no-await-in-loop -- repeated only after the password was entered
      return await call();
    } catch (error) {
      if (!(error instanceof ApiError) || errorCode(error) !== "step_up_required") throw error;
      // oxlint-disable-next-line no-await-in-loop -- the password comes before the repetition
      if (!(await ask())) throw new StepUpCancelled(error.status, error.message, error.body);
    }
  }
}

export function useStepUp(): StepUp {
  const value = use(StepUpContext);
  if (!value) throw new Error("useStepUp needs a StepUpProvider");
  return value;
}

export function StepUpProvider({ children }: { children: ReactNode }) {
  const [isAsking, setAsking] = useState(false);
  const waiting = useRef<((isEntered: boolean) => void)[]>([]);
  const answer = useCallback((isEntered: boolean) => {
    setAsking(false);
    for (const resolve of waiting.current.splice(0)) resolve(isEntered);
  }, []);
  const run = useMemo<StepUp>(() => {
    const ask = () =>
      new Promise<boolean>((resolve) => {
        waiting.current.push(resolve);
        setAsking(true);
      });
    return (call) => withStepUp(call, ask);
  }, []);
  useEffect(() => () => answer(false), [answer]);
  return (
    <StepUpContext value={run}>
      {children}
      {isAsking && <PasswordDialog onEntered={() => answer(true)} onCancel={() => answer(false)} />}
    </StepUpContext>
  );
}

const schema = z.object({ password: z.string().check(z.minLength(1, "Please enter your password")) });

function PasswordDialog({ onEntered, onCancel }: { onEntered(): void; onCancel(): void }) {
  const { register, handleSubmit, setError, setValue, formState } = useForm({
    resolver: standardSchemaResolver(schema),
    defaultValues: { password: "" },
    reValidateMode: "onSubmit",
  });
  async function submit({ password }: z.infer<typeof schema>) {
    try {
      await stepUp(password);
      onEntered();
    } catch (error) {
      const isWrong = errorCode(error) === "invalid_credentials";
      if (error instanceof ApiError && error.status === 401 && !isWrong) {
        // Too many wrong passwords end the session. The page is replaced, but the toast stays.
        toast({
          title: "Session Lost",
          description: "You have been logged out or your session expired. Please log in again.",
          variant: "destructive",
        });
        return onCancel();
      }
      const message = isWrong
        ? "Incorrect password. Please try again."
        : errorMessage(error, "Your password could not be checked. Please try again.");
      if (isWrong) setValue("password", "");
      setError("password", { message }, { shouldFocus: true });
    }
  }
  const onSubmit = useSingleSubmit(handleSubmit(submit));
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => !isOpen && onCancel()}
      title="Confirm your identity"
      description={`${refusals.stepUpRequired.text} Decisions about money require it every five minutes.`}
      footer={
        <>
          <Button onClick={onCancel}>Cancel</Button>
          <Button type="submit" form="step-up" variant="primary" loading={formState.isSubmitting}>
            Continue
          </Button>
        </>
      }
    >
      <form id="step-up" noValidate onSubmit={onSubmit}>
        <Field label="Password" error={formState.errors.password?.message}>
          {(ids) => (
            <Input
              {...ids}
              {...register("password")}
              // oxlint-disable-next-line jsx-a11y/no-autofocus -- the only field of the dialog has the initial focus (ARIA's dialog pattern)
              autoFocus
              type="password"
              autoComplete="current-password"
            />
          )}
        </Field>
      </form>
    </Dialog>
  );
}
