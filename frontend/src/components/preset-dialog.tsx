import { type FormEvent, useState } from "react";
import { wireAmount } from "@/lib/money";
import { DEFAULT_PRESETS, parsePresets, stakePresets } from "@/lib/stake-presets";
import { Button } from "./button";
import { LateDialog as Dialog } from "./late-dialog";
import { Field, Input } from "./field";

const NAMES = ["First amount", "Second amount", "Third amount", "Fourth amount"] as const;

/** Changes the four quick amounts. */
export default function PresetDialog({ onClose }: { onClose(): void }) {
  const [texts, setTexts] = useState<string[]>(() => stakePresets.current().map(wireAmount));
  const [isChecked, setChecked] = useState(false);
  function save(event: FormEvent) {
    event.preventDefault();
    // The dialog is rendered inside the bet form.
    event.stopPropagation();
    setChecked(true);
    const presets = parsePresets(texts);
    if (presets === null) return;
    stakePresets.set(presets);
    onClose();
  }
  const isWrong = (text: string) => isChecked && parsePresets([text, "1", "1", "1"]) === null;
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title="Quick amounts"
      description="Four amounts that one press sets as your bet. They are kept in this browser."
    >
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Enter must not reach the bet form */}
      <form
        noValidate
        onSubmit={save}
        onKeyDown={(event) => event.key === "Enter" && event.stopPropagation()}
        className="grid gap-4"
      >
        <div className="grid grid-cols-2 gap-3">
          {NAMES.map((name, index) => (
            <Field
              key={name}
              label={name}
              error={isWrong(texts[index] ?? "") ? "Enter an amount above 0, such as 2.50" : undefined}
            >
              {(ids) => (
                <Input
                  {...ids}
                  inputMode="decimal"
                  autoComplete="off"
                  value={texts[index] ?? ""}
                  onChange={(event) => setTexts(texts.with(index, event.target.value))}
                />
              )}
            </Field>
          ))}
        </div>
        <div className="flex flex-wrap justify-end gap-3">
          <Button variant="ghost" onClick={() => setTexts(DEFAULT_PRESETS.map(wireAmount))}>
            Use the defaults
          </Button>
          <Button type="submit" variant="primary">
            Save
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
