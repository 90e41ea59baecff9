import { type ComponentProps, useRef } from "react";
import { cn } from "@/lib/class-names";
import { useHotkeys } from "@/lib/hotkeys";
import { Button } from "./button";
import { DockAction } from "./dock";

/** A second click within this time belongs to the button's previous action. */
export const DOUBLE_CLICK_MS = 500;

type MainButtonProps = Omit<ComponentProps<typeof Button>, "variant" | "size" | "disabled"> & { isOff: boolean };

/**
 * The appearance of a game's main button. It keeps the focus while its action changes, so a held key does nothing, and
 * it is disabled by aria-disabled, which keeps it in the tab order.
 */
export function MainButton({ isOff, className, ...rest }: MainButtonProps) {
  const button = useRef<HTMLButtonElement>(null);
  useHotkeys([
    {
      key: " ",
      label: "The main button",
      run() {
        // Otherwise Space would scroll, also while the button is off.
        if (!isOff) button.current?.click();
        return true;
      },
    },
  ]);
  return (
    <DockAction>
      <Button
        ref={button}
        variant="primary"
        size="large"
        data-testid="main-action"
        aria-disabled={isOff || undefined}
        onKeyDown={(event) => event.repeat && event.key === "Enter" && event.preventDefault()}
        className={cn(
          "w-full",
          isOff && "cursor-not-allowed bg-[oklch(0.68_0.12_85)] enabled:hover:bg-[oklch(0.68_0.12_85)]",
          className,
        )}
        {...rest}
      />
    </DockAction>
  );
}
