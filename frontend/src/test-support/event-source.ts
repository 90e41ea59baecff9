import { act } from "@testing-library/react";

/** An event stream whose events a test sends itself. */
export class FakeSource extends EventTarget {
  static newest: FakeSource;
  readyState = 1;
  constructor() {
    super();
    FakeSource.newest = this;
  }
  close() {}
  says(name: string, data: unknown) {
    act(() => void this.dispatchEvent(new MessageEvent(name, { data: JSON.stringify(data) })));
  }
  opens() {
    act(() => void this.dispatchEvent(new Event("open")));
  }
}
