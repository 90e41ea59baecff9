import { type UseFormReturn, useWatch } from "react-hook-form";
import { useAddressBook, type WithdrawalAddress } from "@/api/withdrawal-addresses";
import { Field, Input, Select } from "@/components";
import type { WithdrawForm } from "./withdraw-rules";

const NEW_ADDRESS = "";

/** The address that a withdrawal is sent to: one of the player's address book, or a new one. */
export function WalletAddressField({ form }: { form: UseFormReturn<WithdrawForm> }) {
  const { register, control, setValue, setFocus, clearErrors, formState } = form;
  const [currency, walletAddress] = useWatch({ control, name: ["currency", "walletAddress"] });
  const { book } = useAddressBook();
  const saved = book?.addresses.filter((address) => address.currency === currency) ?? [];
  const chosen = saved.find((address) => address.walletAddress === walletAddress.trim());
  function choose(id: string) {
    const address = saved.find((one) => String(one.id) === id);
    setValue("walletAddress", address?.walletAddress ?? "");
    clearErrors();
    if (address === undefined) setFocus("walletAddress");
  }
  return (
    <>
      {saved.length > 0 && (
        <Field label="Saved address">
          {(ids) => (
            <Select
              {...ids}
              label="Saved address"
              value={chosen === undefined ? NEW_ADDRESS : String(chosen.id)}
              onValueChange={choose}
              options={[
                { value: NEW_ADDRESS, label: "New address" },
                ...saved.map((address) => ({ value: String(address.id), label: nameOf(address) })),
              ]}
            />
          )}
        </Field>
      )}
      <Field
        label="Wallet address"
        hint="Double-check it: a transfer cannot be reversed."
        error={formState.errors.walletAddress?.message}
      >
        {(ids) => (
          <Input
            {...ids}
            {...register("walletAddress")}
            required
            maxLength={256}
            autoComplete="off"
            autoCapitalize="none"
            autoCorrect="off"
            spellCheck={false}
          />
        )}
      </Field>
    </>
  );
}

/** The label with the ends of the address, because labels need not differ. */
function nameOf({ label, walletAddress }: WithdrawalAddress): string {
  const ends = `${walletAddress.slice(0, 8)}…${walletAddress.slice(-6)}`;
  return label === null ? ends : `${label} (${ends})`;
}
