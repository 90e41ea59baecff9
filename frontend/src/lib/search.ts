/** Something that can be searched for. */
export type Searchable = {
  id: string;
  label: string;
  /** Other words for it. */
  keywords: readonly string[];
};

/** In lower case, without accents. */
const plain = (text: string): string =>
  text
    .normalize("NFD")
    .replace(/\p{Diacritic}/gu, "")
    .toLowerCase()
    .trim();
const wordsOf = (text: string): string[] =>
  plain(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);

/**
 * How well an entry matches: 0 if its label begins with the query, 1 if each word of the query begins a word of the
 * label, 2 if keywords are needed as well, 3 if the label only contains the query; null if it does not match.
 */
export function rankOf(query: string, { label, keywords }: Searchable): number | null {
  const wanted = wordsOf(query);
  if (wanted.length === 0) return 0;
  if (plain(label).startsWith(plain(query))) return 0;
  const begins = (words: readonly string[]) => wanted.every((start) => words.some((word) => word.startsWith(start)));
  const labelWords = wordsOf(label);
  if (begins(labelWords)) return 1;
  if (begins([...labelWords, ...keywords.flatMap(wordsOf)])) return 2;
  return plain(label).includes(plain(query)) ? 3 : null;
}

/** The entries that match, the best first and otherwise in their own order. */
export function searched<E extends Searchable>(query: string, entries: readonly E[]): readonly E[] {
  return entries
    .flatMap((entry) => {
      const rank = rankOf(query, entry);
      return rank === null ? [] : [{ entry, rank }];
    })
    .toSorted((one, other) => one.rank - other.rank)
    .map(({ entry }) => entry);
}

/** The entries with these IDs, in the order of the IDs; unknown ones are left out. */
export const withIds = <E extends Searchable>(ids: readonly string[], entries: readonly E[]): readonly E[] =>
  ids.flatMap((id) => entries.find((entry) => entry.id === id) ?? []);

/** The list with this ID in front, at most `length` long. */
export const withLatest = (ids: readonly string[], id: string, length: number): readonly string[] =>
  [id, ...ids.filter((other) => other !== id)].slice(0, length);
