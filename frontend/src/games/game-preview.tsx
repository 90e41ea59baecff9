import { useEffect, useRef, useState } from "react";
import { cn } from "@/lib/class-names";
import { whenIdle } from "@/lib/idle";
import { useReducedMotion } from "@/lib/reduced-motion";
import type { GameDefinition, GamePreview } from "./definition";
import type { OpenRounds } from "./rounds/api";

/** Loaded previews, so that they are shown at once on the next screen. */
const loaded = new Map<string, GamePreview>();

/** Pictures are loaded once they are about this far from the viewport. */
const AHEAD = "200px";

/** The preview of a game, loaded after the first paint; null until then, and if its code cannot be loaded. */
export function usePreview(game: GameDefinition, isWanted = true): GamePreview | null {
  const [preview, setPreview] = useState<GamePreview | null>(() => loaded.get(game.id) ?? null);
  useEffect(() => {
    if (!isWanted || loaded.has(game.id)) return undefined;
    let isShown = true;
    const stop = whenIdle(() => {
      game.loadPreview().then(
        (module) => {
          loaded.set(game.id, module.preview);
          if (isShown) setPreview(module.preview);
        },
        (error: unknown) => console.warn(`The picture of ${game.name} could not be loaded`, error),
      );
    });
    return () => {
      isShown = false;
      stop();
    };
  }, [game, isWanted]);
  return preview;
}

type GamePictureProps = {
  game: GameDefinition;
  /** The player's rounds in play; null without any. */
  open?: OpenRounds | null;
  /** Behind text: without figures. */
  isBackdrop?: boolean;
  /** Sets its size, which does not depend on whether the picture is loaded. */
  className?: string;
};

/** A game drawn from its own elements. Until it is loaded its symbol takes its place. */
export function GamePicture({ game, open = null, isBackdrop = false, className }: GamePictureProps) {
  const frame = useRef<HTMLDivElement>(null);
  const [isNear, setNear] = useState(false);
  const isStill = useReducedMotion();
  useEffect(() => {
    if (!frame.current) return undefined;
    const observer = new IntersectionObserver(
      (entries) => entries.some(({ isIntersecting }) => isIntersecting) && setNear(true),
      { rootMargin: AHEAD },
    );
    observer.observe(frame.current);
    return () => observer.disconnect();
  }, []);
  const preview = usePreview(game, isNear);
  const { Icon } = game;
  return (
    <div
      ref={frame}
      aria-hidden
      data-picture={game.id}
      data-loaded={preview !== null}
      className={cn("relative overflow-hidden bg-well", className)}
    >
      {preview ? (
        <preview.Picture open={open} isStill={isStill} isBackdrop={isBackdrop} />
      ) : (
        <Icon className="absolute left-1/2 top-1/2 size-8 -translate-x-1/2 -translate-y-1/2 text-line" />
      )}
    </div>
  );
}
