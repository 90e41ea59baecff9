import { useCallback, useState } from "react";

const keyOf = (userId: number): string => `glasshouse-favourites-${userId}`;

/** The stored list; empty if there is none or it cannot be read. */
export function parseFavourites(stored: string | null): ReadonlySet<string> {
  try {
    const ids: unknown = JSON.parse(stored ?? "[]");
    return new Set(Array.isArray(ids) ? ids.filter((id): id is string => typeof id === "string") : []);
  } catch {
    return new Set();
  }
}

export type Favourites = { ids: ReadonlySet<string>; toggle(id: string): void };

/** The player's favourite games, which this browser remembers. */
export function useFavourites(userId: number): Favourites {
  const [ids, setIds] = useState(() => parseFavourites(localStorage.getItem(keyOf(userId))));
  const toggle = useCallback(
    (id: string) => {
      // Another tab may have changed them.
      const next = new Set(parseFavourites(localStorage.getItem(keyOf(userId))));
      if (!next.delete(id)) next.add(id);
      localStorage.setItem(keyOf(userId), JSON.stringify([...next]));
      setIds(next);
    },
    [userId],
  );
  return { ids, toggle };
}
