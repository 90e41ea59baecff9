import { getNonce } from "get-nonce";
import { Check, ChevronDown } from "lucide-react";
import { Select as Radix } from "radix-ui";
import type { Ref } from "react";
import { cn } from "@/lib/class-names";
import type { FieldIds } from "./field";

type SelectProps = Partial<FieldIds> & {
  label: string;
  value: string;
  onValueChange(value: string): void;
  /** The detail stands beside the label in the list alone. */
  options: readonly { value: string; label: string; detail?: string | undefined }[];
  disabled?: boolean;
  className?: string;
  ref?: Ref<HTMLButtonElement> | undefined;
};

/** One of a list of choices. */
export function Select({ label, value, onValueChange, options, disabled = false, className, ref, ...ids }: SelectProps) {
  return (
    <Radix.Root value={value} onValueChange={onValueChange} disabled={disabled}>
      <Radix.Trigger
        ref={ref}
        aria-label={label}
        {...ids}
        className={cn("flex h-11 items-center justify-between gap-3 rounded-control border border-control bg-well px-3 text-14 disabled:opacity-55 aria-invalid:border-ink aria-invalid:shadow-[inset_0_0_0_1px_var(--color-ink)]", className)}
      >
        <Radix.Value />
        <ChevronDown aria-hidden className="size-4 text-ink-2" />
      </Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          position="popper"
          sideOffset={6}
          collisionPadding={8}
          className="z-50 max-h-[var(--radix-select-content-available-height)] min-w-[var(--radix-select-trigger-width)] rounded-panel border border-line bg-raised p-1.5 shadow-float"
        >
          <Radix.Viewport nonce={getNonce()}>
            {options.map((option) => (
              <Radix.Item
                key={option.value}
                value={option.value}
                className="flex min-h-[40px] cursor-pointer items-center justify-between gap-4 rounded-control px-3 text-14 outline-none data-[highlighted]:bg-line"
              >
                <Radix.ItemText>{option.label}</Radix.ItemText>
                {option.detail !== undefined && <span className="ml-auto text-13 text-ink-2">{option.detail}</span>}
                <Radix.ItemIndicator>
                  <Check aria-hidden className="size-4 text-brass" />
                </Radix.ItemIndicator>
              </Radix.Item>
            ))}
          </Radix.Viewport>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
