/** Loads the page anew. A function of its own, since a browser's location cannot be put aside in tests. */
export function reloadPage(): void {
  window.location.reload();
}
