import type { ComponentProps } from "react";
import { cn } from "@/lib/class-names";
import { Button } from "./button";
import { DockAction } from "./dock";

/** Within so long a second click was meant for what the button said before. */
export const DOUBLE_CLICK_MS = 500;

type MainButtonProps = Omit<ComponentProps<typeof Button>, "variant" | "size" | "disabled"> & { isOff: boolean };

/**
 * What the one button of a game looks like. It keeps the focus while its meaning changes under it, so
 * a key that is held down does not act, and off is told without being taken out of the tab order.
 */
export function MainButton({ isOff, className, ...rest }: MainButtonProps) {
  return (
    <DockAction>
      <Button
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
