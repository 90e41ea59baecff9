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

  get element(): HTMLElement | null {
    return this.#element;
  }

  write(text: string): void {
    // A new text node would have the browser compute the styles around it again.
    const node = this.#element?.firstChild ?? this.#element;
    if (node && node.textContent !== text) node.textContent = text;
  }

  /** The tone is for the style sheet; the text has a sign. */
  writeToned(text: string, tone: "win" | "loss" | "none"): void {
    this.write(text);
    if (this.#element && this.#element.dataset.tone !== tone) this.#element.dataset.tone = tone;
  }
}

/** What the frames of a live game write to. */
export class LiveView {
  readonly chart = new ChartPainter();
  readonly multiplier = new TextSlot();
  readonly caption = new TextSlot();
  /** The open profit of a position, with its sign. */
  readonly profit = new TextSlot();
  /** The label of the main button. */
  readonly label = new TextSlot();
}

export function useLiveView(): LiveView {
  const [view] = useState(() => new LiveView());
  return view;
}
