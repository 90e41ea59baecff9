import { type ComponentProps, type ComponentType, lazy } from "react";

/** A part of the application whose code could not be loaded. */
export class PartNotLoadedError extends Error {
  constructor(cause: unknown) {
    super("a part of the application could not be loaded", { cause });
    this.name = "PartNotLoadedError";
  }
}

/** Makes each part that failed to load loadable again. */
const renewals = new Set<() => void>();
let failures = 0;

/** How many times in a row loading a part has failed. */
export const failuresInARow = (): number => failures;

/** Allows parts that failed to load to be loaded again when they are next rendered. */
export function renewParts(): void {
  for (const renew of renewals) renew();
  renewals.clear();
}

/**
 * A component whose code is loaded when it is first shown. Unlike React's `lazy`, which caches a failure for good, it
 * can be loaded again after `renewParts`.
 */
// oxlint-disable-next-line typescript/no-explicit-any -- React types its own `lazy` the same way: with any props
export function lazyPart<C extends ComponentType<any>>(
  load: () => Promise<{ default: C }>,
): ComponentType<ComponentProps<C>> {
  const begin = () =>
    lazy(async () => {
      try {
        const loaded = await load();
        failures = 0;
        return loaded;
      } catch (error) {
        failures += 1;
        renewals.add(() => {
          Current = begin();
        });
        throw new PartNotLoadedError(error);
      }
    });
  let Current = begin();
  return function Part(props: ComponentProps<C>) {
    return <Current {...props} />;
  };
}
