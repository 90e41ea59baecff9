import type { ComponentProps } from "react";
import { lazyPart } from "@/lib/lazy-part";
import type { Dialog } from "./dialog";
import { LoadedPart } from "./loaded-part";

const Loaded = lazyPart(async () => ({ default: (await import("./dialog")).Dialog }));

/** A dialog of a page whose first screen does not need the code of dialogs: it is loaded when the browser is idle. */
export function LateDialog(props: ComponentProps<typeof Dialog>) {
  return (
    <LoadedPart isWanted={props.open} onFailed={() => props.onOpenChange(false)}>
      <Loaded {...props} />
    </LoadedPart>
  );
}
