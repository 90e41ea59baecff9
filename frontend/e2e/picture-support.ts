import { expect, type Locator, type Page } from "@playwright/test";

type Watched = { shiftSum: number; takeShifts(): void };

/** Adds up the layout shifts of the next pages that were not caused by the user. Call it before opening a page. */
export async function watchShifts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    type Shift = PerformanceEntry & { value: number; hadRecentInput: boolean };
    const watched = window as unknown as Watched;
    watched.shiftSum = 0;
    const add = (entries: PerformanceEntry[]) => {
      for (const entry of entries as Shift[]) if (!entry.hadRecentInput) watched.shiftSum += entry.value;
    };
    const observer = new PerformanceObserver((list) => add(list.getEntries()));
    watched.takeShifts = () => add(observer.takeRecords());
    observer.observe({ type: "layout-shift", buffered: true });
  });
}

/** The layout shifts of the current page so far. */
export const shiftSum = (page: Page): Promise<number> =>
  page.evaluate(() => {
    const watched = window as unknown as Watched;
    watched.takeShifts();
    return watched.shiftSum;
  });

export const pictures = (page: Page): Locator => page.locator("[data-picture]");

/** Scrolls past each picture, because they are loaded when they are near, and back to the top. */
export async function loadPictures(page: Page): Promise<void> {
  for (const picture of await pictures(page).all()) {
    await picture.scrollIntoViewIfNeeded();
    await expect(picture).toHaveAttribute("data-loaded", "true");
  }
  await page.evaluate(() => window.scrollTo(0, 0));
}

/** What a picture shows at this moment: its pixels, or where its cards are. */
export const drawingOf = (picture: Locator): Promise<string> =>
  picture.evaluate((element) => {
    const canvas = element.querySelector("canvas");
    if (canvas) return canvas.toDataURL();
    return [...element.querySelectorAll<HTMLElement>("[style]")].map((part) => part.style.cssText).join();
  });

/** Waits until the browser has drawn this many frames. */
export const framesDrawn = (page: Page, count: number): Promise<void> =>
  page.evaluate(
    (frames) =>
      new Promise<void>((resolve) => {
        let left = frames;
        const next = () => {
          left -= 1;
          if (left === 0) resolve();
          else requestAnimationFrame(next);
        };
        requestAnimationFrame(next);
      }),
    count,
  );
