import { type ComponentProps, type MouseEvent, useEffect, useRef } from "react";
import { DOUBLE_CLICK_MS, MainButton } from "./main-button";

type GameButtonProps = Omit<ComponentProps<typeof MainButton>, "onClick"> & {
  /** What the button does now. */
  stage: string;
  onPress(): void;
};

/**
 * The main button of a game. It stays in place and keeps the focus while its action changes, so neither the second
 * click of a double click nor a held key may trigger it.
 */
export function GameButton({ stage, isOff, onPress, children, ...rest }: GameButtonProps) {
  const began = useRef({ stage, at: 0 });
  useEffect(() => {
    began.current = { stage, at: performance.now() };
  }, [stage]);
  function onClick(event: MouseEvent) {
    const isSecond = event.detail > 1 && performance.now() - began.current.at < DOUBLE_CLICK_MS;
    if (!isSecond && !isOff) onPress();
  }
  return (
    <MainButton isOff={isOff} onClick={onClick} {...rest}>
      {children}
    </MainButton>
  );
}
