import { describe, expect, it } from "vitest";
import * as crash from "./crash/picture-scene";
import * as dice from "./dice/picture-scene";
import * as headsUp from "./heads-up/picture-scene";
import * as mines from "./mines/picture-scene";
import { CELLS } from "./mines/multiplier";
import { GAMES } from "./registry";
import * as stonks from "./stonks/picture-scene";
import * as videoPoker from "./video-poker/picture-scene";

/** Moments of a minute, thirty a second. */
const MOMENTS = Array.from({ length: 1800 }, (_, frame) => (frame * 1000) / 30);

it("every game has a picture and tells the state of a round in play", async () => {
  for (const game of GAMES) {
    const { preview } = await game.loadPreview();
    expect(preview.Picture).toBeTypeOf("function");
    expect(preview.Progress).toBeTypeOf("function");
  }
});

describe("crash", () => {
  it("rises from 1.00 and stops where it crashes", () => {
    const moments = MOMENTS.map(crash.exampleAt);
    expect(moments[0]).toEqual({ hundredths: 100, ms: 0, isOver: false });
    for (const [index, moment] of moments.entries()) {
      const before = moments[index - 1];
      if (!before || moment.ms < before.ms) expect(moment.hundredths).toBeLessThan(110);
      else expect(moment.hundredths).toBeGreaterThanOrEqual(before.hundredths);
      if (before?.isOver && moment.isOver) expect(moment).toEqual(before);
    }
    expect(new Set(moments.filter(({ isOver }) => isOver).map(({ hundredths }) => hundredths)).size).toBeGreaterThan(2);
  });

  it("draws the curve inside the picture, from the lower left corner to the newest point", () => {
    const points = crash.curvePoints({ hundredths: 412, ms: 14_860 }, (ms) => 1.1 ** (ms / 1000));
    expect(points[0]).toEqual([0, 0]);
    expect(points.at(-1)?.[0]).toBe(1);
    expect(points.at(-1)?.[1]).toBeCloseTo(1, 2);
    for (const [x, y] of points) {
      expect(x).toBeGreaterThanOrEqual(0);
      expect(x).toBeLessThanOrEqual(1);
      expect(y).toBeLessThanOrEqual(1.01);
    }
    expect(crash.curvePoints({ hundredths: 100, ms: 0 }, () => 1)).toEqual([
      [0, 0],
      [0, 0],
    ]);
  });
});

describe("dice", () => {
  it("glides to the next roll, which then stands on the track", () => {
    const start = dice.trackAt(15_000);
    const end = dice.trackAt(15_000 + 1400);
    const newest = end.past.at(-1);
    expect(end.marker).toBe(newest?.roll);
    expect(newest?.strength).toBe(1);
    expect(start.past.at(-1)?.roll).toBe(start.marker);
  });

  it("stacks the rolls of a column without gaps, and tells wins from losses", () => {
    const { past } = dice.trackAt(61_000);
    const rows = new Map<number, number[]>();
    for (const { roll, row, isWin } of past) {
      expect(isWin).toBe(roll > dice.TARGET);
      const column = dice.columnOf(roll);
      rows.set(column, [...(rows.get(column) ?? []), row]);
    }
    for (const column of rows.values()) expect(column).toEqual(column.map((_, index) => index));
    expect(dice.columnOf(1)).toBe(2.5);
    expect(dice.columnOf(100)).toBe(97.5);
  });
});

describe("stonks", () => {
  it("moves the market to the left without jumps", () => {
    for (const [index, at] of MOMENTS.entries()) {
      const { points, price } = stonks.exampleAt(at);
      expect(points.at(-1)).toEqual([stonks.SHOWN_TICKS, price]);
      const before = stonks.exampleAt(MOMENTS[index - 1] ?? at).price;
      expect(Math.abs(price - before)).toBeLessThan(0.03);
      expect(price).toBeGreaterThan(0);
    }
  });

  it("leaves room above and below the line and always shows the stake's price", () => {
    expect(stonks.rangeOf([1.5, 2])).toEqual({ low: 0.85, high: 2.15 });
    expect(stonks.rangeOf([1])).toEqual({ low: 0.95, high: 1.05 });
  });
});

describe("mines", () => {
  it("reveals cell after cell and starts anew", () => {
    const sizes = MOMENTS.map((at) => mines.revealedAt(at).size);
    expect(Math.min(...sizes)).toBe(0);
    expect(Math.max(...sizes)).toBe(6);
    for (const at of MOMENTS)
      for (const [cell, share] of mines.revealedAt(at)) {
        expect(cell).toBeGreaterThanOrEqual(0);
        expect(cell).toBeLessThan(CELLS);
        expect(share).toBeLessThanOrEqual(1);
      }
  });
});

describe("cards", () => {
  it("has a pose for each card, inside the picture while it can be seen", () => {
    const tables = [
      { count: videoPoker.EXAMPLE.length, posesAt: videoPoker.posesAt },
      { count: headsUp.EXAMPLE_OWN.length + headsUp.EXAMPLE_BOARD.length, posesAt: headsUp.posesAt },
    ];
    for (const { count, posesAt } of tables)
      for (const at of MOMENTS) {
        const poses = posesAt(at);
        expect(poses).toHaveLength(count);
        for (const { x, y, opacity } of poses) {
          expect(opacity).toBeGreaterThanOrEqual(0);
          expect(opacity).toBeLessThanOrEqual(1);
          expect(Math.abs(x - 0.5)).toBeLessThan(0.43);
          expect(Math.abs(y - 0.5)).toBeLessThan(0.36);
        }
      }
  });

  it("exchanges the fifth card for another one and holds the first four", () => {
    const [dealt, drawn] = [videoPoker.posesAt(3600), videoPoker.posesAt(6000)];
    expect(dealt.map(({ isMarked }) => isMarked)).toEqual([true, true, true, true, false, false]);
    expect(dealt.map(({ opacity }) => opacity)).toEqual([1, 1, 1, 1, 1, 0]);
    expect(drawn.map(({ opacity }) => opacity)).toEqual([1, 1, 1, 1, 0, 1]);
  });

  it("shows a player's own cards as they are", () => {
    const hand = videoPoker.EXAMPLE.slice(0, 5);
    expect(videoPoker.handPoses(hand, [1]).map(({ isMarked }) => isMarked)).toEqual([false, true, false, false, false]);
    const poses = headsUp.tablePoses(headsUp.EXAMPLE_OWN, headsUp.EXAMPLE_BOARD.slice(0, 3));
    expect(poses).toHaveLength(5);
    expect(poses[3]?.x).toBeCloseTo(0.5);
  });
});
