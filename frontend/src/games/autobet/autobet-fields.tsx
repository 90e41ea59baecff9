import { Field, Input } from "@/components/field";
import { Select } from "@/components/select";
import { checkForm, type AutobetForm, type ChangeForm, LABELS } from "./form";
import type { StakeChange } from "./rules";
import type { Autobet } from "./use-autobet";

const CHANGES: { value: StakeChange["kind"]; label: string }[] = [
  { value: "keep", label: "Keep bet" },
  { value: "reset", label: "Reset bet" },
  { value: "increase", label: "Increase" },
];

const LIMITS = ["stopOnProfit", "stopOnLoss", "stopBelowBalance", "stopAboveBalance"] as const;
type TextName = "rounds" | (typeof LIMITS)[number];

/** The terms of autobet: rounds, what the bet does after a win or a loss, and when it stops. */
export default function AutobetFields({ autobet }: { autobet: Autobet }) {
  const { form, setForm, isRunning, isChecked } = autobet;
  const errors = isChecked && !isRunning ? checkForm(form) : {};
  const change = (part: Partial<AutobetForm>) => !isRunning && setForm({ ...form, ...part });
  const text = (name: TextName, inputMode: "numeric" | "decimal", none: string) => (
    <Field key={name} label={LABELS[name]} error={errors[name]}>
      {(ids) => (
        <Input
          {...ids}
          value={form[name]}
          placeholder={none}
          inputMode={inputMode}
          autoComplete="off"
          readOnly={isRunning}
          className="font-semibold"
          onChange={(event) => change({ [name]: event.target.value })}
        />
      )}
    </Field>
  );
  return (
    <fieldset className="grid grid-cols-2 items-start gap-3">
      <legend className="sr-only">Autobet</legend>
      <div className="col-span-2">{text("rounds", "numeric", "No limit")}</div>
      <ChangeField
        when="win"
        value={form.onWin}
        error={errors.onWin}
        isLocked={isRunning}
        onChange={(onWin) => change({ onWin })}
      />
      <ChangeField
        when="loss"
        value={form.onLoss}
        error={errors.onLoss}
        isLocked={isRunning}
        onChange={(onLoss) => change({ onLoss })}
      />
      {LIMITS.map((name) => text(name, "decimal", "None"))}
    </fieldset>
  );
}

type ChangeFieldProps = {
  when: "win" | "loss";
  value: ChangeForm;
  error: string | undefined;
  isLocked: boolean;
  onChange(value: ChangeForm): void;
};

/** What the bet does after a win or a loss. */
function ChangeField({ when, value, error, isLocked, onChange }: ChangeFieldProps) {
  return (
    <div className="grid gap-2">
      <Field label={`On ${when}`}>
        {(ids) => (
          <Select
            {...ids}
            label={`On ${when}`}
            value={value.kind}
            disabled={isLocked}
            options={CHANGES}
            onValueChange={(kind) => onChange({ ...value, kind: kind as StakeChange["kind"] })}
          />
        )}
      </Field>
      {value.kind === "increase" && (
        <Field label={LABELS[when === "win" ? "onWin" : "onLoss"]} error={error}>
          {(ids) => (
            <Input
              {...ids}
              value={value.percent}
              inputMode="decimal"
              autoComplete="off"
              readOnly={isLocked}
              className="font-semibold"
              onChange={(event) => onChange({ ...value, percent: event.target.value })}
            />
          )}
        </Field>
      )}
    </div>
  );
}
