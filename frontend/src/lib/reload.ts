/** Reloads the page. A separate function, because tests cannot replace the browser's location. */
export function reloadPage(): void {
  window.location.reload();
}
