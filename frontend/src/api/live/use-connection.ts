import { useSyncExternalStore } from "react";
import { type Connection, liveEvents } from "./event-stream";

/** The state of the connection to the event stream. */
export function useConnection(): Connection {
  return useSyncExternalStore(liveEvents.subscribe, liveEvents.state);
}
