import { useRef } from "react";
import { IdempotentSender } from "@/api/idempotent-sender";

/** A sender for each record, by its ID: what had no answer is sent again with the same key. */
export function useSenders(): (id: number) => IdempotentSender {
  const senders = useRef(new Map<number, IdempotentSender>());
  return (id) => {
    const sender = senders.current.get(id) ?? new IdempotentSender();
    senders.current.set(id, sender);
    return sender;
  };
}
