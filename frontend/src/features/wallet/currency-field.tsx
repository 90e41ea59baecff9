import type { Ref } from "react";
import { useQuery } from "@/api/hooks";
import { Button, Field, Select } from "@/components";
import { type CurrencyCode, currencyCode, CURRENCIES } from "@/lib/currencies";
import { centsOf, formatDollars } from "@/lib/money";
import type { CoinTerms } from "./api/wallet";

type CurrencyFieldProps = {
  /** What the currency is for. */
  purpose: "deposit" | "withdrawal";
  value: CurrencyCode | "";
  onChange(value: CurrencyCode | ""): void;
  error?: string | undefined;
  ref?: Ref<HTMLSelectElement>;
};

/** A selection of cryptocurrencies, with the server's current limits of each. */
export function CurrencyField({ purpose, value, onChange, error, ref }: CurrencyFieldProps) {
  const { data: terms, error: failure, mutate, isValidating } = useQuery("/api/cryptocurrencies");
  const options = CURRENCIES.map(({ value: code, label }) => {
    const coin = terms?.find((known) => known.code === code);
    return { value: code, label, detail: purpose === "deposit" ? detailOf(coin) : undefined };
  });
  return (
    <div className="grid gap-1.5">
      <Field
        label="Currency"
        error={error}
        hint={hintOf(
          purpose,
          terms?.find(({ code }) => code === value),
        )}
      >
        {(ids) => (
          <Select
            {...ids}
            ref={ref}
            label="Currency"
            value={value}
            onValueChange={(chosen) => onChange(currencyCode(chosen) ?? "")}
            options={options}
          />
        )}
      </Field>
      {failure !== undefined && (
        <div role="alert" className="flex flex-wrap items-center justify-between gap-2 text-13 text-notice">
          Failed to load cryptocurrencies
          <Button size="small" loading={isValidating} onClick={() => void mutate()}>
            Try Again
          </Button>
        </div>
      )}
    </div>
  );
}

/** Shown next to a coin in the list, before it is selected. */
function detailOf(coin: CoinTerms | undefined): string | undefined {
  if (coin === undefined) return undefined;
  return coin.isAvailable === false ? "currently unavailable" : `from ${formatDollars(centsOf(coin.minimumDeposit))}`;
}

function hintOf(purpose: CurrencyFieldProps["purpose"], coin: CoinTerms | undefined): string | undefined {
  if (coin === undefined) return undefined;
  if (purpose === "withdrawal") return `At most ${formatDollars(centsOf(coin.maximumWithdrawal))} in one request.`;
  if (coin.isAvailable === false)
    return `${coin.label} cannot be deposited at the moment. Please choose another cryptocurrency.`;
  return `Minimum ${formatDollars(centsOf(coin.minimumDeposit))}, maximum ${formatDollars(centsOf(coin.maximumDeposit))}.`;
}
