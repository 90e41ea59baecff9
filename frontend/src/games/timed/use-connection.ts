import { useSyncExternalStore } from "react";
import { type Connection, liveEvents } from "./event-stream";

/** Whether the server's events arrive. */
export function useConnection(): Connection {
  return useSyncExternalStore(liveEvents.subscribe, liveEvents.state);
}
