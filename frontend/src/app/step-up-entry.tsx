import { useForm } from "react-hook-form";
import { errorCode, errorMessage } from "@/api/client";
import { type Confirmation, stepUp } from "@/api/step-up";
import { Field, Input } from "@/components";
import { CodeField } from "@/components/code-field";
import { useSingleSubmit } from "@/lib/use-single-submit";

/** What is entered: the password or, of users with a second factor, a code of one of two kinds. */
export type EntryKind = "password" | "code" | "recovery-code";

const WRONG = {
  invalid_credentials: "Incorrect password. Please try again.",
  invalid_second_factor: "This code is wrong or was already used. Please try the next one.",
} as const;
const isWrong = (code: string | undefined): code is keyof typeof WRONG => code !== undefined && code in WRONG;

const MISSING: Record<EntryKind, string> = {
  password: "Please enter your password",
  code: "Please enter a code",
  "recovery-code": "Please enter a recovery code",
};

type EntryProps = {
  kind: EntryKind;
  onConfirmed(): void;
  /** Deals with an error that is not about the entry; returns whether it did. */
  onLost(error: unknown): boolean;
};

/** Confirms with what is entered. */
export function useEntry({ kind, onConfirmed, onLost }: EntryProps) {
  const { register, handleSubmit, setError, setValue, setFocus, clearErrors, formState } = useForm({
    defaultValues: { entry: "" },
    reValidateMode: "onSubmit",
  });
  async function submit({ entry }: { entry: string }) {
    const body: Confirmation = kind === "password" ? { password: entry } : { secondFactor: entry };
    try {
      await stepUp(body);
      onConfirmed();
    } catch (error) {
      const code = errorCode(error);
      if (!isWrong(code) && onLost(error)) return;
      if (isWrong(code)) setValue("entry", "");
      const message = isWrong(code) ? WRONG[code] : errorMessage(error, "This could not be checked. Please try again.");
      setError("entry", { message }, { shouldFocus: true });
    }
  }
  return {
    kind,
    isBusy: formState.isSubmitting,
    error: formState.errors.entry?.message,
    onSubmit: useSingleSubmit(handleSubmit(submit)),
    field: () => register("entry", { required: MISSING[kind] }),
    restart() {
      setValue("entry", "");
      clearErrors();
      setFocus("entry");
    },
  };
}
export type Entry = ReturnType<typeof useEntry>;

type EntryFormProps = {
  id: string;
  entry: Entry;
  /** Changes between the kinds of codes, if there are two. */
  onToggle?: (() => void) | undefined;
};

export function EntryForm({ id, entry, onToggle }: EntryFormProps) {
  const { kind, error, onSubmit } = entry;
  const field = {
    ...entry.field(),
    // oxlint-disable-next-line jsx-a11y/no-autofocus -- the only field of the dialog has the initial focus (ARIA's dialog pattern)
    autoFocus: true,
  };
  return (
    <form id={id} noValidate onSubmit={onSubmit}>
      {kind === "password" ? (
        <Field label="Password" error={error}>
          {(ids) => <Input {...ids} {...field} type="password" autoComplete="current-password" />}
        </Field>
      ) : (
        <CodeField {...field} error={error} isRecovery={kind === "recovery-code"} {...(onToggle ? { onToggle } : {})} />
      )}
    </form>
  );
}
