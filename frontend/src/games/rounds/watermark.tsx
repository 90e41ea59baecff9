import { LoadedPart } from "@/components/loaded-part";
import { lazyPart } from "@/lib/lazy-part";

const WatermarkPicture = lazyPart(() => import("./watermark-picture"));

/** The watermark of a stage. It is loaded when the browser is idle; a stage that cannot load it does without. */
export function Watermark() {
  return (
    <LoadedPart isWanted={false}>
      <WatermarkPicture />
    </LoadedPart>
  );
}
