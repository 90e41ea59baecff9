// Keeps what every page begins with on the device, and answers with a page that says so when there is no network. The
// build puts the files and a name that depends on them in place of the two placeholders. Calls of the house, the public
// log and everything else always go to the network.

const CACHE = "glasshouse-__VERSION__";
const FILES = __FILES__;
const OFFLINE = "/offline.html";

addEventListener("install", (event) => {
  // Taking over at once changes nothing for a page in use: files with a hash in their names never change.
  event.waitUntil(
    caches
      .open(CACHE)
      .then((cache) => cache.addAll(FILES))
      .then(() => skipWaiting()),
  );
});

async function removeOldCaches() {
  const names = await caches.keys();
  await Promise.all(
    names.filter((name) => name.startsWith("glasshouse-") && name !== CACHE).map((name) => caches.delete(name)),
  );
  await clients.claim();
}
addEventListener("activate", (event) => event.waitUntil(removeOldCaches()));

/** A page from the network, or the one that says that there is none. */
async function pageOf(request) {
  try {
    return await fetch(request);
  } catch (error) {
    const offline = await caches.match(OFFLINE, { cacheName: CACHE });
    if (offline) return offline;
    throw error;
  }
}

const kept = async (request) => (await caches.match(request, { cacheName: CACHE })) ?? fetch(request);

addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin) return;
  if (["/api", "/log", "/transparency/"].some((start) => pathname.startsWith(start))) return;
  if (request.mode === "navigate") event.respondWith(pageOf(request));
  else if (FILES.includes(pathname)) event.respondWith(kept(request));
});
