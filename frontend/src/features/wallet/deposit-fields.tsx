import { TriangleAlert } from "lucide-react";
import type { FormEvent, ReactNode } from "react";
import { Controller, type UseFormReturn, useWatch } from "react-hook-form";
import { Field, Input } from "@/components";
import type { OpenDeposit } from "./api/wallet";
import { CurrencyField } from "./currency-field";
import type { DepositForm } from "./deposit-rules";
import { NETWORKS } from "./networks";
import { UnpaidDeposits } from "./unpaid-deposits";

type DepositFieldsProps = {
  id: string;
  form: UseFormReturn<DepositForm>;
  /** About the player's own limit, if it has refused the deposit. */
  limit: ReactNode;
  onSubmit(event: FormEvent): void;
  onReopen(deposit: OpenDeposit): void;
};

/** The amount and currency of a deposit. */
export function DepositFields({ id, form, limit, onSubmit, onReopen }: DepositFieldsProps) {
  const { register, control, clearErrors, formState } = form;
  const network = NETWORKS[useWatch({ control, name: "currency" })];
  return (
    <form id={id} onSubmit={onSubmit} onChange={() => clearErrors()} noValidate className="grid gap-4">
      <UnpaidDeposits onReopen={onReopen} />
      <Field label="Amount (USD)" error={formState.errors.amount?.message}>
        {(ids) => (
          <Input
            {...ids}
            {...register("amount")}
            required
            min="0.01"
            step="0.01"
            inputMode="decimal"
            autoComplete="off"
            placeholder="0.00"
          />
        )}
      </Field>
      {limit}
      <Controller
        control={control}
        name="currency"
        render={({ field, fieldState }) => (
          <CurrencyField
            purpose="deposit"
            value={field.value}
            onChange={field.onChange}
            error={fieldState.error?.message}
            ref={field.ref}
          />
        )}
      />
      {network !== undefined && <NetworkWarning network={network} />}
      <ul className="grid list-disc gap-1.5 pl-5 text-13 text-ink-2">
        <li>Blockchain confirmation is expected in 5-10 minutes.</li>
        <li>Deposited funds must be wagered before they become withdrawable. Winnings do not have to be wagered.</li>
      </ul>
    </form>
  );
}

function NetworkWarning({ network }: { network: string }) {
  return (
    <p className="flex gap-3 rounded-control border border-control bg-well p-3 text-13">
      <TriangleAlert aria-hidden className="size-5 shrink-0" />
      <span>
        <strong className="font-semibold">Send USDT on the {network} network only.</strong> A transfer on the wrong
        network may lose your funds.
      </span>
    </p>
  );
}
