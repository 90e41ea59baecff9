// Sets what the owners allow in a game besides its rules.

import { standardSchemaResolver } from "@hookform/resolvers/standard-schema";
import { useForm } from "react-hook-form";
import * as z from "zod/mini";
import { Field, Input } from "@/components";
import { centsOf, formatWire, parseCents, wireAmount } from "@/lib/money";
import { DecisionDialog } from "../decisions/decision-dialog";
import { ReasonField } from "../decisions/reason-field";
import { STATUS_REASON_REQUIRED } from "../decisions/rules";
import { useDecision, useIdempotentCall } from "../decisions/use-decision";
import { type GameLimitsChange, type LimitedGame, setGameLimits } from "./api";

const LIMIT_INVALID = "Please enter an amount above $0.00, or nothing for no limit";

const isLimit = (text: string): boolean => text.trim() === "" || (parseCents(text) ?? 0) > 0;

function schemaFor({ minimumStake, rulesMaximumStake }: LimitedGame) {
  const [lowest, highest] = [centsOf(minimumStake), centsOf(rulesMaximumStake)];
  const isStake = (text: string): boolean => {
    const cents = parseCents(text);
    return text.trim() === "" || (cents !== null && cents >= lowest && cents <= highest);
  };
  const range = `Please enter an amount from ${formatWire(minimumStake)} to ${formatWire(rulesMaximumStake)}, or nothing`;
  return z.object({
    maximumStake: z.string().check(z.refine(isStake, range)),
    maximumProfit: z.string().check(z.refine(isLimit, LIMIT_INVALID)),
    maximumExposure: z.string().check(z.refine(isLimit, LIMIT_INVALID)),
    reason: z.string().check(z.trim(), z.minLength(1, STATUS_REASON_REQUIRED)),
  });
}

/** The amount on the wire; null for no limit. */
function wire(text: string): string | null {
  const cents = parseCents(text);
  return text.trim() === "" || cents === null ? null : wireAmount(cents);
}

type GameLimitsDialogProps = {
  label: string;
  game: LimitedGame;
  onCancel(): void;
  onDone(games: LimitedGame[]): void;
  onConflict(): void;
  onUnsure(): void;
};

export function GameLimitsDialog({ label, game, onCancel, ...outcomes }: GameLimitsDialogProps) {
  const { register, handleSubmit, setFocus, formState } = useForm({
    resolver: standardSchemaResolver(schemaFor(game)),
    defaultValues: {
      maximumStake: game.maximumStake ?? "",
      maximumProfit: game.maximumProfit ?? "",
      maximumExposure: game.maximumExposure ?? "",
      reason: "",
    },
    reValidateMode: "onSubmit",
  });
  const { isBusy, decide } = useDecision();
  const send = useIdempotentCall((change: GameLimitsChange, key) => setGameLimits(game.name, change, key));
  const { errors } = formState;
  // In the order in which the first invalid one gets the focus.
  const fields = {
    maximumStake: register("maximumStake"),
    maximumProfit: register("maximumProfit"),
    maximumExposure: register("maximumExposure"),
    reason: register("reason"),
  };
  const submit = handleSubmit(({ reason, ...typed }) => {
    const change = {
      maximumStake: wire(typed.maximumStake),
      maximumProfit: wire(typed.maximumProfit),
      maximumExposure: wire(typed.maximumExposure),
      reason,
    };
    void decide(send(change), {
      success: () => `The limits of ${label} are set`,
      fallback: "Failed to set the limits",
      ...outcomes,
    });
  });
  const texts = [
    {
      name: "maximumStake",
      text: "Largest stake ($)",
      hint: `At the start of a round. The rules allow ${formatWire(game.rulesMaximumStake)}.`,
    },
    {
      name: "maximumProfit",
      text: "Most won by a round ($)",
      hint: "A bet that could win more is refused.",
    },
    {
      name: "maximumExposure",
      text: "Most won by all rounds in play ($)",
      hint: `Those in play can win up to ${formatWire(game.exposure ?? "0.00")} now.`,
    },
  ] as const;
  return (
    <DecisionDialog
      title={`Limits of ${label}`}
      description="They apply on all servers within two seconds, to rounds that start from then on, and are recorded in the audit log under your name. An empty field is no limit."
      confirmLabel="Set Limits"
      initialFocus={() => setFocus("maximumStake")}
      isBusy={isBusy}
      onCancel={onCancel}
      onConfirm={() => void submit()}
    >
      {texts
        .filter(({ name }) => name !== "maximumExposure" || game.exposure !== null)
        .map(({ name, text, hint }) => (
          <Field key={name} label={text} hint={hint} error={errors[name]?.message}>
            {(ids) => <Input {...ids} {...fields[name]} inputMode="decimal" maxLength={20} autoComplete="off" />}
          </Field>
        ))}
      <ReasonField label="Reason" input={fields.reason} error={errors.reason?.message} />
    </DecisionDialog>
  );
}
