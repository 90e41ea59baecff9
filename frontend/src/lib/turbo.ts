import { rememberedSwitch, useRemembered } from "./remembered";

/** Turbo shortens animations and skips the pauses between rounds. */
const turbo = rememberedSwitch("glasshouse-turbo", false);

/** For the style sheet, which shortens the animations. */
function mark(): void {
  document.documentElement.toggleAttribute("data-turbo", turbo.current());
}
mark();
turbo.subscribe(mark);

export const isTurbo = (): boolean => turbo.current();
export const setTurbo = (isOn: boolean): void => turbo.set(isOn);
export const useTurbo = (): boolean => useRemembered(turbo);
