// The tabs of a browser share the session cookie. A tab that signs in or out says so to the others, because their next
// request would be that of another user.

const NAME = "glasshouse-session";

let channel: BroadcastChannel | null = null;

/** Tells the other tabs who is signed in now. */
export function announceUser(id: number | null): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no target origin
  channel?.postMessage(id);
}

/** Calls back when another tab has signed in or out. */
export function onUserElsewhere(listener: (id: number | null) => void): () => void {
  if (typeof BroadcastChannel !== "function") return () => undefined;
  const opened = new BroadcastChannel(NAME);
  opened.addEventListener("message", ({ data }: MessageEvent<unknown>) => {
    if (data === null || typeof data === "number") listener(data);
  });
  channel = opened;
  return () => {
    opened.close();
    if (channel === opened) channel = null;
  };
}
