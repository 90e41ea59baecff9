import type { KeyboardEvent } from "react";

/** For a form's `onKeyDown`: Enter in a field starts a round, and never ends one. A held key starts only one. */
export function onEnterInField(play: () => void) {
  return (event: KeyboardEvent<HTMLFormElement>): void => {
    if (event.key !== "Enter" || event.nativeEvent.isComposing || !(event.target instanceof HTMLInputElement)) return;
    event.preventDefault();
    if (!event.repeat) play();
  };
}
