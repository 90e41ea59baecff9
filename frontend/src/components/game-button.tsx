import { type ComponentProps, type MouseEvent, useEffect, useRef } from "react";
import { DOUBLE_CLICK_MS, MainButton } from "./main-button";

type GameButtonProps = Omit<ComponentProps<typeof MainButton>, "onClick"> & {
  /** What the button is about now. */
  stage: string;
  onPress(): void;
};

/**
 * The main button of a game. It stays where it is and keeps the focus while its meaning changes under
 * it, so neither the second half of a double click nor a key that is held down may act.
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
