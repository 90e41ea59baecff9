// How the panel words alerts and what became of the messages about them.

import { formatZoned } from "@/lib/zoned-time";
import type { AdminAlert } from "../api/admin";

export type AlertKind = AdminAlert["kind"];
export type Delivery = AdminAlert["deliveries"][number];

/** What the kinds are called, in the order of the filter. */
export const KIND_NAMES: Readonly<Record<AlertKind, string>> = {
  large_win: "Large win",
  rtp: "Improbable RTP",
  provider_failure: "Provider failure",
  review: "Payment review",
  queue: "Long queue",
  failed_sign_ins: "Refused sign-ins",
  test: "Test",
};

const STATE_WORDS: readonly (readonly [Delivery["state"], string])[] = [
  ["delivered", "delivered"],
  ["waiting", "waiting"],
  ["given_up", "failed"],
];

/** "2 delivered, 1 waiting"; empty if nobody was to be told. */
export function deliverySummary(deliveries: readonly Delivery[]): string {
  const counts = STATE_WORDS.map(
    ([state, words]) => [deliveries.filter((one) => one.state === state).length, words] as const,
  );
  return counts
    .filter(([count]) => count > 0)
    .map(([count, words]) => `${count} ${words}`)
    .join(", ");
}

/** Whether somebody was not told, and may never be. */
export const hasProblem = (deliveries: readonly Delivery[]): boolean =>
  deliveries.some(({ state, problem }) => state === "given_up" || (state === "waiting" && problem !== null));

/** Who was told what. */
export function deliveryName({ message, channel, recipient }: Delivery): string {
  const receiver = channel === "webhook" ? "Webhook" : (recipient ?? "E-mail");
  return message === "resolved" ? `${receiver}, that it is resolved` : receiver;
}

/** What became of it, such as "waiting; it answered 500 at attempt 3". */
export function deliveryOutcome({ state, attempts, deliveredAt, problem }: Delivery): string {
  if (state === "delivered") return deliveredAt === null ? "delivered" : `delivered ${formatZoned(deliveredAt)}`;
  const outcome = state === "waiting" ? "waiting" : "given up";
  return problem === null ? outcome : `${outcome}; attempt ${attempts}: ${problem}`;
}
