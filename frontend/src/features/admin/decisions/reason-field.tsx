// The reason or note that several decisions require.

import { standardSchemaResolver } from "@hookform/resolvers/standard-schema";
import { useForm } from "react-hook-form";
import * as z from "zod/mini";
import { Field, Input } from "@/components";
import { showError } from "./use-decision";

/** A form with one required text; `required` is the message beside the field if it is empty. */
export function useReason(required: string, onValid: (reason: string) => void) {
  const { register, handleSubmit, setFocus, formState } = useForm({
    resolver: standardSchemaResolver(z.object({ reason: z.string().check(z.trim(), z.minLength(1, required)) })),
    defaultValues: { reason: "" },
    reValidateMode: "onSubmit",
  });
  const submit = handleSubmit(
    ({ reason }) => onValid(reason),
    () => showError(required),
  );
  const input = register("reason");
  return {
    input,
    /** What the field shows. */
    field: { input, error: formState.errors.reason?.message },
    focus: () => setFocus("reason"),
    submit: () => void submit(),
  };
}

type ReasonFieldProps = {
  label: string;
  hint?: string;
  error?: string | undefined;
  input: ReturnType<typeof useReason>["input"];
};

/** The error is beside the field; what announces it is the toast. */
export function ReasonField({ input, ...field }: ReasonFieldProps) {
  return (
    <Field isQuiet {...field}>
      {(ids) => <Input {...input} {...ids} maxLength={500} autoComplete="off" />}
    </Field>
  );
}
