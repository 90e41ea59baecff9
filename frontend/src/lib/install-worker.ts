/** Registers the service worker, which makes the site installable and says so when there is no network. */
export function installWorker(): void {
  if (!import.meta.env.PROD || !("serviceWorker" in navigator)) return;
  navigator.serviceWorker.register("/sw.js").catch((error: unknown) => {
    // The site works without it.
    console.info("The service worker could not be installed", error);
  });
}
