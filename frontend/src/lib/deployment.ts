/** The page's entry script; its file name contains the hash of its content. */
const entryOf = (page: Document): string | null =>
  page.querySelector('script[type="module"][src]')?.getAttribute("src") ?? null;

/** Whether the server has a different version of the application than this page. */
export async function isOutdated(): Promise<boolean> {
  const answer = await fetch("/", { cache: "no-store" });
  if (!answer.ok) return false;
  // Its styles have another nonce, and the browser would report them.
  const text = (await answer.text()).replaceAll(/<style[\s\S]*?<\/style>/g, "");
  const page = new DOMParser().parseFromString(text, "text/html");
  return entryOf(page) !== entryOf(document);
}
