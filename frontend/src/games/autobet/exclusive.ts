/**
 * Runs the work while no other tab of this browser does work of the same name, or at once with `isFree` false if one
 * does. Where the browser has no locks, it is always free.
 */
export async function exclusively(name: string, work: (isFree: boolean) => Promise<void>): Promise<void> {
  const locks = "locks" in navigator ? navigator.locks : undefined;
  if (locks) await locks.request(name, { ifAvailable: true }, (lock) => work(lock !== null));
  else await work(true);
}
