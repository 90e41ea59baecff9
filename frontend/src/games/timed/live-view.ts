import { useState } from "react";
import { ChartPainter } from "@/components/chart";

/** A text on screen that is written each frame, past React. */
export class TextSlot {
  #element: HTMLElement | null = null;

  /** To be used as the element's ref. */
  readonly attach = (element: HTMLElement | null): (() => void) => {
    this.#element = element;
    return () => {
      this.#element = null;
    };
  };

  write(text: string): void {
    if (this.#element && this.#element.textContent !== text) this.#element.textContent = text;
  }
}

/** What the frames of a live game write to. */
export class LiveView {
  readonly chart = new ChartPainter();
  readonly multiplier = new TextSlot();
  readonly caption = new TextSlot();
  /** What the main button says. */
  readonly label = new TextSlot();
}

export function useLiveView(): LiveView {
  const [view] = useState(() => new LiveView());
  return view;
}
