import type { ComponentProps } from "react";

/** A button that looks like a link, for another way to do the same. */
export function TextButton(props: ComponentProps<"button">) {
  return (
    <button
      type="button"
      className="target justify-self-start rounded-control text-13 text-ink-2 underline underline-offset-4 hover:text-ink"
      {...props}
    />
  );
}
