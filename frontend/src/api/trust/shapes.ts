import type { ShownPair, ShownState } from "@/lib/trust/commitments";

// What an answer about seeds contains, whichever call it answers.

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;

/** The active pair. */
export const isState = (body: unknown): body is ShownState =>
  isObject(body) &&
  typeof body.serverSeedHash === "string" &&
  typeof body.nextServerSeedHash === "string" &&
  typeof body.clientSeed === "string" &&
  (body.clientSeedBy === "player" || body.clientSeedBy === "house") &&
  typeof body.nonce === "number";

const isPair = (value: unknown): value is ShownPair =>
  isObject(value) &&
  typeof value.serverSeed === "string" &&
  typeof value.serverSeedHash === "string" &&
  typeof value.clientSeed === "string";

export const isRotation = (body: unknown): body is { revealed: ShownPair; current: ShownState } =>
  isObject(body) && isPair(body.revealed) && isState(body.current);

/** A list of revealed pairs; empty for anything else. */
export const pairsIn = (body: unknown): ShownPair[] => (Array.isArray(body) ? body.filter(isPair) : []);
