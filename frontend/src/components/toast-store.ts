export type ToastContent = {
  title: string;
  description?: string;
  variant?: "default" | "destructive";
  /** It gives the reason of the errors that follow it: while it is open, they do not take its place. */
  isReason?: boolean;
};
export type Toast = ToastContent & { id: number; isOpen: boolean };

/** At most one is visible. */
const LIMIT = 1;
/** How long a toast is visible. */
export const TOAST_MS = 5000;
/** A dismissed toast stays mounted this long, unless another takes its place. */
export const REMOVE_DELAY_MS = 1_000_000;

let toasts: readonly Toast[] = [];
let lastId = 0;
const listeners = new Set<() => void>();
const removals = new Map<number, ReturnType<typeof setTimeout>>();

function set(next: readonly Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}

function remove(id: number): void {
  removals.delete(id);
  set(toasts.filter((shown) => shown.id !== id));
}

/** Shows a toast, replacing the current one, unless that gives the reason of the new one. */
export function toast(content: ToastContent): number {
  const reason = toasts.find(({ isOpen, isReason }) => isOpen && isReason);
  if (reason && content.variant === "destructive" && !content.isReason) return reason.id;
  lastId += 1;
  set([{ ...content, id: lastId, isOpen: true }, ...toasts].slice(0, LIMIT));
  return lastId;
}

/** Closes a toast. It is removed later, so that it can animate out. */
export function dismissToast(id: number): void {
  set(toasts.map((shown) => (shown.id === id ? { ...shown, isOpen: false } : shown)));
  if (!removals.has(id))
    removals.set(
      id,
      setTimeout(() => remove(id), REMOVE_DELAY_MS),
    );
}

/** Closes a visible error, because it is about an earlier attempt. */
export function dismissErrors(): void {
  for (const { id, isOpen, variant } of toasts) if (isOpen && variant === "destructive") dismissToast(id);
}

export const toastStore = {
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  current: (): readonly Toast[] => toasts,
};
