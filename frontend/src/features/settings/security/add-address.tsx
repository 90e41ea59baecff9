import { useId, useState } from "react";
import { Controller, useForm } from "react-hook-form";
import { byCode, type ErrorCode, errorMessage } from "@/api/client";
import { StepUpCancelled } from "@/api/step-up";
import { addAddress } from "@/api/withdrawal-addresses";
import { Button, Dialog, Field, Input, Select, toast } from "@/components";
import { PasswordField } from "@/components/password-field";
import { CURRENCIES, currencyCode, type CurrencyCode } from "@/lib/currencies";
import { counted } from "@/lib/format";
import * as refusals from "@/lib/refusals";
import { useSingleSubmit } from "@/lib/use-single-submit";

type AddressForm = { currency: CurrencyCode; walletAddress: string; label: string; password: string };

/** The field that a refusal by the server is about. */
const FIELDS: Partial<Record<ErrorCode, keyof AddressForm>> = {
  invalid_currency: "currency",
  invalid_address: "walletAddress",
  address_known: "walletAddress",
  invalid_label: "label",
  invalid_credentials: "password",
};

type AddAddressProps = { username: string; delayHours: number; onClose(): void; onAdded(): void };

/** Adds an address to the address book, with the password. */
export function AddAddress({ username, delayHours, onClose, onAdded }: AddAddressProps) {
  const formId = useId();
  const [isShown, setShown] = useState(false);
  const { register, control, handleSubmit, setError, setValue, setFocus, formState } = useForm<AddressForm>({
    defaultValues: { currency: "btc", walletAddress: "", label: "", password: "" },
  });
  const { errors } = formState;
  async function add(form: AddressForm) {
    try {
      await addAddress({ ...form, walletAddress: form.walletAddress.trim() });
      toast({
        title: "Address Added",
        description:
          delayHours > 0
            ? `Withdrawals to it can be approved in ${counted(delayHours, "hour")}.`
            : "You can choose it in the withdraw dialog.",
      });
      onAdded();
    } catch (error) {
      if (error instanceof StepUpCancelled) return;
      const field = byCode(FIELDS, error);
      if (field === undefined) {
        toast({ title: "Error", description: errorMessage(error, "Something went wrong"), variant: "destructive" });
        return;
      }
      const isWrong = field === "password";
      if (isWrong) setValue(field, "");
      const message = isWrong ? "Incorrect password. Please try again." : errorMessage(error, "Please check this.");
      setError(field, { message }, { shouldFocus: true });
    }
  }
  const onSubmit = useSingleSubmit(handleSubmit(add));
  return (
    <Dialog
      open
      onOpenChange={onClose}
      initialFocus={() => setFocus("walletAddress")}
      title="Add an address"
      description={
        delayHours > 0 && `Withdrawals to it can be approved in ${counted(delayHours, "hour")} at the earliest.`
      }
      footer={
        <Button type="submit" form={formId} variant="primary" loading={formState.isSubmitting}>
          Add address
        </Button>
      }
    >
      <form id={formId} onSubmit={onSubmit} noValidate className="grid gap-4">
        <input type="text" name="username" autoComplete="username" value={username} readOnly hidden />
        <Controller
          control={control}
          name="currency"
          render={({ field, fieldState }) => (
            <Field label="Currency" error={fieldState.error?.message}>
              {(ids) => (
                <Select
                  {...ids}
                  ref={field.ref}
                  label="Currency"
                  value={field.value}
                  onValueChange={(chosen) => field.onChange(currencyCode(chosen) ?? "btc")}
                  options={CURRENCIES}
                />
              )}
            </Field>
          )}
        />
        <Field
          label="Wallet address"
          hint="Double-check it: a transfer cannot be reversed."
          error={errors.walletAddress?.message}
        >
          {(ids) => (
            <Input
              {...ids}
              {...register("walletAddress", { required: refusals.addressMissing.text })}
              maxLength={256}
              autoComplete="off"
              autoCapitalize="none"
              autoCorrect="off"
              spellCheck={false}
            />
          )}
        </Field>
        <Field label="Label (optional)" error={errors.label?.message}>
          {(ids) => <Input {...ids} {...register("label")} maxLength={50} autoComplete="off" />}
        </Field>
        <PasswordField
          label="Your password"
          error={errors.password?.message}
          isShown={isShown}
          onToggle={() => setShown(!isShown)}
          {...register("password", { required: "Please enter your password" })}
          autoComplete="current-password"
        />
      </form>
    </Dialog>
  );
}
