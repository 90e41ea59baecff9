import { useLayoutEffect, useState } from "react";
import type { Scene } from "./paint";
import { ChartPainter } from "./painter";

/** A static chart. */
export function StillChart({ scene, label, className }: { scene: Scene; label: string; className?: string }) {
  const [painter] = useState(() => new ChartPainter());
  const { attach } = painter;
  useLayoutEffect(() => painter.show(scene), [painter, scene]);
  return <canvas ref={attach} role="img" aria-label={label} className={className} />;
}
