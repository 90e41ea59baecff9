import { type ComponentProps, type ComponentType, lazy } from "react";

/** A part of the application whose code could not be loaded. */
export class PartNotLoadedError extends Error {
  constructor(cause: unknown) {
    super("a part of the application could not be loaded", { cause });
    this.name = "PartNotLoadedError";
  }
}

/** What makes each part that could not be loaded loadable again. */
const renewals = new Set<() => void>();
let failures = 0;

/** How often in a row loading a part has failed. */
export const failuresInARow = (): number => failures;

/** Lets parts that could not be loaded be loaded again when they are rendered next. */
export function renewParts(): void {
  for (const renew of renewals) renew();
  renewals.clear();
}

/**
 * A component whose code is loaded when it is first shown. Unlike React's `lazy`, which remembers a
 * failure for ever, it can be loaded again after `renewParts`.
 */
// oxlint-disable-next-line typescript/no-explicit-any -- as React types its own `lazy`: whatever the props are
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
