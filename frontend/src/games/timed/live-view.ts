import { useState } from "react";
import { ChartPainter } from "@/components/chart";

/** A text that is written in each frame, bypassing React. */
export class TextSlot {
  #element: HTMLElement | null = null;

  /** Use as the element's ref. */
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
  /** The label of the main button. */
  readonly label = new TextSlot();
}

export function useLiveView(): LiveView {
  const [view] = useState(() => new LiveView());
  return view;
}
