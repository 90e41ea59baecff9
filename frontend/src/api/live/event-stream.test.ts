import { beforeEach, describe, expect, it, vi } from "vitest";
import { EventStream } from "./event-stream";
import { ServerClock } from "./server-clock";

class FakeSource extends EventTarget {
  readyState = 0;
  close = vi.fn(() => {
    this.readyState = 2;
  });
  opens() {
    this.readyState = 1;
    this.dispatchEvent(new Event("open"));
  }
  fails(readyState: 0 | 2) {
    this.readyState = readyState;
    this.dispatchEvent(new Event("error"));
  }
  says(name: string, data: unknown) {
    this.dispatchEvent(new MessageEvent(name, { data: typeof data === "string" ? data : JSON.stringify(data) }));
  }
}

function setup() {
  const sources: FakeSource[] = [];
  const clock = new ServerClock(() => 0);
  const addresses: string[] = [];
  const stream = new EventStream((address) => {
    addresses.push(address);
    const source = new FakeSource();
    sources.push(source);
    return source as unknown as EventSource;
  }, clock);
  const newest = () => {
    const source = sources.at(-1);
    if (!source) throw new Error("nothing was opened");
    return source;
  };
  return { sources, addresses, stream, clock, newest };
}

beforeEach(() => {
  vi.useFakeTimers();
});

describe("the stream", () => {
  it("is shared, and open while somebody needs it", () => {
    const { sources, stream, newest } = setup();
    const [first, second] = [stream.acquire(), stream.acquire()];
    expect(sources).toHaveLength(1);
    newest().opens();
    expect(stream.state()).toBe("open");
    first();
    first();
    vi.advanceTimersByTime(5000);
    expect(newest().close).not.toHaveBeenCalled();
    second();
    vi.advanceTimersByTime(999);
    stream.acquire()();
    expect(sources).toHaveLength(1);
    vi.advanceTimersByTime(1000);
    expect(newest().close).toHaveBeenCalledTimes(1);
    expect(stream.state()).toBe("connecting");
    vi.advanceTimersByTime(60_000);
    expect(sources).toHaveLength(1);
  });

  it("passes each event to its listeners, and the time to the clock", () => {
    const { stream, clock, newest } = setup();
    const [onPrice, onCrash] = [vi.fn(), vi.fn()];
    const stop = stream.on("price", onPrice);
    stream.on("crash", onCrash);
    stream.acquire();
    newest().opens();
    const price = { roundId: 1, tick: 1, multiplier: 1.034, serverTimeMs: 77 };
    newest().says("price", price);
    stop();
    newest().says("price", price);
    expect(onPrice.mock.calls).toEqual([[price]]);
    expect(onCrash).not.toHaveBeenCalled();
    expect(clock.now()).toBe(77);
  });

  it("reports rounds of every subscribed game, recognized by their balance, also from a new source", () => {
    const { stream, newest } = setup();
    const onRound = vi.fn();
    stream.onRound(onRound);
    stream.acquire();
    stream.on("crash", vi.fn());
    newest().opens();
    newest().fails(2);
    vi.advanceTimersByTime(1000);
    const round = { roundId: 1, newBalance: "90.00", serverTimeMs: 77 };
    newest().says("crash", round);
    newest().says("clock", { serverTimeMs: 78 });
    newest().says("stonks", round);
    expect(onRound.mock.calls).toEqual([["crash", round]]);
  });

  it("survives malformed events", () => {
    const warn = vi.spyOn(console, "warn").mockImplementation(() => undefined);
    const { stream, newest } = setup();
    stream.on("crash", vi.fn());
    stream.acquire();
    newest().says("crash", "{");
    expect(warn).toHaveBeenCalledTimes(1);
    warn.mockRestore();
  });
});

describe("a lost connection", () => {
  it("is left to the browser while it retries, and restoring it notifies the listeners", () => {
    const { sources, stream, newest } = setup();
    const [onState, onOpen] = [vi.fn(), vi.fn()];
    stream.subscribe(onState);
    stream.onOpen(onOpen);
    stream.acquire();
    newest().opens();
    newest().fails(0);
    expect(stream.state()).toBe("lost");
    vi.advanceTimersByTime(10_000);
    expect(sources).toHaveLength(1);
    newest().opens();
    expect(stream.state()).toBe("open");
    expect(onState).toHaveBeenCalledTimes(3);
    expect(onOpen).toHaveBeenCalledTimes(2);
  });

  it("is reopened with increasing delays once the browser gives up", () => {
    const { sources, stream, newest } = setup();
    stream.acquire();
    for (const [count, wait] of [1000, 2000, 4000, 8000, 15_000, 15_000].entries()) {
      newest().fails(2);
      vi.advanceTimersByTime(wait - 1);
      expect(sources).toHaveLength(count + 1);
      vi.advanceTimersByTime(1);
      expect(sources).toHaveLength(count + 2);
    }
    newest().opens();
    newest().fails(2);
    const before = sources.length;
    vi.advanceTimersByTime(1000);
    expect(sources).toHaveLength(before + 1);
  });

  it("is detected by silence", () => {
    const { sources, stream, newest } = setup();
    stream.acquire();
    const [first] = sources;
    newest().opens();
    for (let beat = 0; beat < 5; beat += 1) {
      vi.advanceTimersByTime(5000);
      newest().says("clock", { serverTimeMs: 1 });
    }
    expect(sources).toHaveLength(1);
    vi.advanceTimersByTime(16_000);
    expect(stream.state()).toBe("lost");
    expect(first?.close).toHaveBeenCalled();
    vi.advanceTimersByTime(1000);
    expect(sources).toHaveLength(2);
    // Events of a closed source are ignored.
    first?.opens();
    expect(stream.state()).toBe("lost");
  });
});

describe("everybody's bets", () => {
  it("are asked for with another address of the one stream, only while they are watched", () => {
    const { sources, addresses, stream, newest } = setup();
    const onState = vi.fn();
    stream.acquire();
    newest().opens();
    stream.subscribe(onState);
    const stop = stream.watchBets("dice");
    vi.advanceTimersByTime(0);
    expect(addresses).toEqual(["/api/events", "/api/events?bets=dice"]);
    expect(sources[0]?.close).toHaveBeenCalledTimes(1);
    newest().opens();
    stop();
    vi.advanceTimersByTime(0);
    newest().opens();
    expect(addresses.at(-1)).toBe("/api/events");
    expect(sources.map(({ readyState }) => readyState)).toEqual([2, 2, 1]);
    expect(onState, "the connection was never lost").not.toHaveBeenCalled();
  });

  it("change the address once when one watcher follows another, and not for the same game", () => {
    const { addresses, stream } = setup();
    stream.acquire();
    const stopped = stream.watchBets("dice");
    stopped();
    const first = stream.watchBets("crash");
    vi.advanceTimersByTime(0);
    stream.watchBets("crash");
    first();
    vi.advanceTimersByTime(0);
    expect(addresses).toEqual(["/api/events", "/api/events?bets=crash"]);
  });

  it("open the stream by themselves, and let it close", () => {
    const { addresses, stream, newest } = setup();
    const stop = stream.watchBets("poker");
    expect(addresses).toEqual(["/api/events?bets=poker"]);
    newest().opens();
    stop();
    vi.advanceTimersByTime(1000);
    expect(addresses).toHaveLength(1);
    expect(newest().close).toHaveBeenCalledTimes(1);
  });

  it("make what was missed be loaded again", () => {
    const { stream, newest } = setup();
    const onOpen = vi.fn();
    stream.onOpen(onOpen);
    stream.acquire();
    newest().opens();
    stream.watchBets("dice");
    vi.advanceTimersByTime(0);
    newest().opens();
    expect(onOpen).toHaveBeenCalledTimes(2);
  });
});
