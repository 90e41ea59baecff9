import { useForm } from "react-hook-form";
import { errorCode, errorMessage } from "@/api/client";
import { useCeremony } from "@/api/use-ceremony";
import { Field, Input } from "@/components";
import { PasskeyButton } from "@/components/passkey-button";
import { MAXIMUM_NAME_LENGTH, suggestedName } from "@/lib/passkeys";
import { addPasskey } from "./api";

type PasskeyFormProps = {
  /** With the recovery codes, if it is the first second factor. */
  onAdded(codes: readonly string[] | null): void;
};

/** Names a passkey, and has the browser make it. */
export function PasskeyForm({ onAdded }: PasskeyFormProps) {
  const { isBusy, notice, run } = useCeremony({
    cancelled: "No passkey was added. You can try again.",
    refused: "This passkey could not be checked, so it was not added. Please try again.",
  });
  const { register, handleSubmit, setError, formState } = useForm({ defaultValues: { name: suggestedName() } });
  async function add(name: string, signal: AbortSignal) {
    try {
      onAdded(await addPasskey(name, signal));
    } catch (error) {
      if (errorCode(error) !== "invalid_passkey_name") throw error;
      setError("name", { message: errorMessage(error, "Please choose another name") }, { shouldFocus: true });
    }
  }
  const submit = handleSubmit(({ name }) => run((signal) => add(name.trim(), signal)));
  return (
    <form onSubmit={(event) => void submit(event)} noValidate className="grid gap-4">
      <Field label="Name" hint="So that you can tell it from your others." error={formState.errors.name?.message}>
        {(ids) => (
          <Input
            {...ids}
            {...register("name", { validate: (name) => name.trim() !== "" || "Please enter a name" })}
            maxLength={MAXIMUM_NAME_LENGTH}
            autoComplete="off"
          />
        )}
      </Field>
      <PasskeyButton type="submit" variant="primary" isBusy={isBusy} notice={notice}>
        Add passkey
      </PasskeyButton>
    </form>
  );
}
