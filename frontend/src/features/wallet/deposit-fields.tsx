import { TriangleAlert } from "lucide-react";
import { type FormEvent, type RefObject } from "react";
import { Field, Input } from "@/components";
import type { OpenDeposit } from "./api/wallet";
import { CurrencyField } from "./currency-field";
import type { DepositForm } from "./deposit-rules";
import { NETWORKS } from "./networks";
import { UnpaidDeposits } from "./unpaid-deposits";
import type { DepositCreation } from "./use-deposit";

type DepositFieldsProps = {
  id: string;
  form: DepositForm;
  onChange(form: DepositForm): void;
  creation: DepositCreation;
  amount: RefObject<HTMLInputElement | null>;
  currency: RefObject<HTMLSelectElement | null>;
  onReopen(deposit: OpenDeposit): void;
};

/** The amount and currency of a deposit. */
export function DepositFields({ id, form, onChange, creation, amount, currency, onReopen }: DepositFieldsProps) {
  const { refusal, setRefusal, create } = creation;
  function change(changed: Partial<DepositForm>) {
    onChange({ ...form, ...changed });
    setRefusal(null);
  }
  function submit(event: FormEvent) {
    event.preventDefault();
    void create(form);
  }
  const errorOf = (field: keyof DepositForm) => (refusal?.field === field ? refusal.text : undefined);
  const network = NETWORKS[form.currency];
  return (
    <form id={id} onSubmit={submit} noValidate className="grid gap-4">
      <UnpaidDeposits onReopen={onReopen} />
      <Field label="Amount (USD)" error={errorOf("amount")}>
        {(ids) => (
          <Input
            {...ids}
            ref={amount}
            name="amount"
            required
            min="0.01"
            step="0.01"
            inputMode="decimal"
            autoComplete="off"
            placeholder="0.00"
            value={form.amount}
            onChange={(event) => change({ amount: event.target.value })}
          />
        )}
      </Field>
      <CurrencyField
        purpose="deposit"
        value={form.currency}
        onChange={(chosen) => change({ currency: chosen })}
        error={errorOf("currency")}
        trigger={currency}
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
