// Loads the code of a part. Stands in for vite's own helper (`scripts/chunk-loader.ts`).

/** Files that are known to be in the browser's cache. */
const fetched = new Set<string>();

/** The file that a dynamic import loads, by the text that the build has given it; null if it has another form. */
export function fileOf(load: () => unknown): string | null {
  const name = /import\(["'`]\.\/([^"'`]+)["'`]\)/.exec(String(load))?.[1];
  return name === undefined ? null : `assets/${name}`;
}

/** The page itself had it loaded, so that a request of our own would be one too many. */
const isOfPage = (path: string): boolean => document.querySelector(`link[href="${path}"]`) !== null;

async function fetchOnce(file: string): Promise<void> {
  const path = `/${file}`;
  if (fetched.has(path) || isOfPage(path)) return;
  const response = await fetch(path);
  if (!response.ok) throw new TypeError(`${path} could not be loaded: ${response.status}`);
  // Only what was read to its end is in the cache.
  await response.arrayBuffer();
  fetched.add(path);
}

/**
 * Imports code whose files have been fetched before. Browsers remember for good that a module could not be fetched, so
 * that the same import can never succeed later, unlike a request.
 */
export async function loadChunk<T>(load: () => Promise<T>, files: readonly string[] = []): Promise<T> {
  const own = fileOf(load);
  await Promise.all([...new Set([...files, ...(own === null ? [] : [own])])].map(fetchOnce));
  return load();
}
