import type { RefObject } from "react";
import { useQuery } from "@/api/hooks";
import { Button, Field, Select } from "@/components";
import { CURRENCIES } from "@/lib/currencies";

type CurrencyFieldProps = { value: string; onChange(value: string): void; error?: string | undefined; trigger?: RefObject<HTMLButtonElement | null> };

/** Which cryptocurrency; the server is asked whether it takes any at all at the moment. */
export function CurrencyField({ value, onChange, error, trigger }: CurrencyFieldProps) {
  const { error: failure, mutate, isValidating } = useQuery("/api/cryptocurrencies");
  return (
    <div className="grid gap-1.5">
      <Field label="Currency" error={error}>
        {(ids) => <Select {...ids} ref={trigger} label="Currency" value={value} onValueChange={onChange} options={CURRENCIES} className="w-full text-16 lg:text-14" />}
      </Field>
      {failure !== undefined && (
        <div role="alert" className="flex flex-wrap items-center justify-between gap-2 text-13 text-loss">
          Failed to load cryptocurrencies
          <Button size="small" loading={isValidating} onClick={() => void mutate()}>
            Try Again
          </Button>
        </div>
      )}
    </div>
  );
}
