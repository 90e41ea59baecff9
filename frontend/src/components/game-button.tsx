import { type ComponentProps, type MouseEvent, useEffect, useRef } from "react";
import { cn } from "@/lib/class-names";
import { Button } from "./button";

/** Within so long a second click was meant for what the button said before. */
const DOUBLE_CLICK_MS = 500;

type GameButtonProps = Omit<ComponentProps<typeof Button>, "onClick" | "disabled"> & {
  /** What the button is about now. */
  stage: string;
  isOff: boolean;
  onPress(): void;
};

/**
 * The main button of a game. It stays where it is and keeps the focus while its meaning changes under
 * it, so neither the second half of a double click nor a key that is held down may act.
 */
export function GameButton({ stage, isOff, onPress, className, children, ...rest }: GameButtonProps) {
  const began = useRef({ stage, at: 0 });
  useEffect(() => {
    began.current = { stage, at: performance.now() };
  }, [stage]);
  function onClick(event: MouseEvent) {
    const isSecond = event.detail > 1 && performance.now() - began.current.at < DOUBLE_CLICK_MS;
    if (!isSecond && !isOff) onPress();
  }
  return (
    <Button
      variant="primary"
      size="large"
      data-testid="main-action"
      aria-disabled={isOff || undefined}
      onClick={onClick}
      onKeyDown={(event) => event.repeat && event.key === "Enter" && event.preventDefault()}
      className={cn("w-full max-lg:sticky max-lg:bottom-[68px] max-lg:z-10 max-lg:shadow-[0_0_0_12px_var(--color-panel)]", isOff && "cursor-not-allowed bg-[oklch(0.68_0.12_85)] enabled:hover:bg-[oklch(0.68_0.12_85)]", className)}
      {...rest}
    >
      {children}
    </Button>
  );
}
