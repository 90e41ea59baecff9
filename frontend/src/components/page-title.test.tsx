import { cleanup, render } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { PageTitle } from "./page-title";

afterEach(cleanup);

it("goes before the title of index.html, and leaves with its page", () => {
  document.head.innerHTML = "<title>Glasshouse</title>";
  const { rerender, unmount } = render(<PageTitle title="Dice" />);
  expect(document.title).toBe("Dice · Glasshouse");
  rerender(<PageTitle title="Crash" />);
  expect(document.title).toBe("Crash · Glasshouse");
  unmount();
  expect(document.title).toBe("Glasshouse");
});
