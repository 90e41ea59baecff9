import { type FormEvent, useEffect, useRef, useState } from "react";
import { byCode, type ErrorCode, errorMessage } from "@/api/client";
import { Button, Field, Input, toast } from "@/components";
import { limitName, limitValueText, minutesText } from "@/lib/limit-texts";
import { parseInteger } from "@/lib/money";
import { useSingleSubmit } from "@/lib/use-single-submit";
import { type LimitOverview, type LimitSlot, type PlayerLimit, setLimit } from "./api";
import { effectOf, effectText, typedLimit } from "./rules";

/** The refusals that are about what was typed. */
const IS_TYPED: Partial<Record<ErrorCode, true>> = {
  invalid_amount: true,
  amount_out_of_range: true,
  invalid_limit: true,
};

type LimitFormProps = {
  slot: LimitSlot;
  limit: PlayerLimit | undefined;
  onClose(): void;
  onChanged(overview: LimitOverview): void;
};

/** Sets, lowers or asks to raise a limit, and says beforehand which of these it will be. */
export function LimitForm({ slot, limit, onClose, onChanged }: LimitFormProps) {
  const { kind, period } = slot;
  const name = limitName(kind, period);
  const isTime = kind === "session_time";
  const [text, setText] = useState(limit?.value ?? "");
  const [error, setError] = useState<string>();
  const [isSaving, setSaving] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    input.current?.focus();
    input.current?.select();
  }, []);
  const typed = typedLimit(slot, text);
  function refuse(reason: string) {
    setError(reason);
    input.current?.focus();
  }
  async function save() {
    if ("error" in typed) return refuse(typed.error);
    setSaving(true);
    try {
      const overview = await setLimit(slot, typed.value);
      const shown = limitValueText(kind, typed.value);
      if (effectOf(limit, typed.value) === "raise")
        toast({ title: "Raise Requested", description: `You can confirm ${shown} in 24 hours.` });
      else toast({ title: "Limit Set", description: `Your ${name} is ${shown}.` });
      onChanged(overview);
      onClose();
    } catch (refusal) {
      const reason = errorMessage(refusal, "Something went wrong");
      if (byCode(IS_TYPED, refusal)) return refuse(reason);
      toast({ title: "Limit Not Changed", description: reason, variant: "destructive" });
    } finally {
      setSaving(false);
    }
  }
  const onSubmit = useSingleSubmit((event: FormEvent) => {
    event.preventDefault();
    return save();
  });
  return (
    <form onSubmit={onSubmit} noValidate className="grid max-w-[420px] gap-3">
      <Field
        label={`${name.charAt(0).toUpperCase()}${name.slice(1)} (${isTime ? "minutes" : "USD"})`}
        hint={"value" in typed ? hintOf(limit, typed.value, isTime) : isTime ? "Whole minutes." : "Such as 50.00."}
        error={error}
      >
        {(ids) => (
          <Input
            {...ids}
            ref={input}
            value={text}
            inputMode={isTime ? "numeric" : "decimal"}
            autoComplete="off"
            onChange={(event) => {
              setText(event.target.value);
              setError(undefined);
            }}
          />
        )}
      </Field>
      <div className="flex flex-wrap gap-2">
        <Button type="submit" variant="primary" loading={isSaving}>
          {"value" in typed && effectOf(limit, typed.value) === "raise" ? "Ask for the raise" : "Save"}
        </Button>
        <Button onClick={onClose}>Cancel</Button>
      </div>
    </form>
  );
}

function hintOf(limit: PlayerLimit | undefined, value: string, isTime: boolean): string {
  const effect = effectText(limit, value);
  const minutes = isTime ? (parseInteger(value) ?? 0) : 0;
  return minutes > 60 ? `${minutesText(minutes)}. ${effect}` : effect;
}
