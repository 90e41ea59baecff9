import type { KeyboardEvent } from "react";

/**
 * For a form's `onKeyDown`: Enter in one of its fields plays a round, and never ends one. A key that is
 * held down plays one round only.
 */
export function onEnterInField(play: () => void) {
  return (event: KeyboardEvent<HTMLFormElement>): void => {
    if (event.key !== "Enter" || event.nativeEvent.isComposing || !(event.target instanceof HTMLInputElement)) return;
    event.preventDefault();
    if (!event.repeat) play();
  };
}
