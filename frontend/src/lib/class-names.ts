/**
 * Joins class names. A utility class of a caller overrides a class of `styles/components.css`, because utilities are in
 * a later layer; two utilities of the same kind must never be joined (a test looks for them).
 */
export { clsx as cn } from "clsx";
