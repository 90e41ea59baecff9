import { markedSwitch, useRemembered } from "./remembered";

/** Turbo shortens animations and skips the pauses between rounds. */
const turbo = markedSwitch("glasshouse-turbo", "data-turbo");

export const isTurbo = (): boolean => turbo.current();
export const setTurbo = (isOn: boolean): void => turbo.set(isOn);
export const useTurbo = (): boolean => useRemembered(turbo);
