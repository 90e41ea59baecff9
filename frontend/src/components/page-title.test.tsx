import { cleanup, render } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { PageTitle } from "./page-title";

afterEach(cleanup);

it("comes before the title of index.html, and is removed with its page", () => {
  document.head.innerHTML = "<title>Glasshouse</title>";
  const { rerender, unmount } = render(<PageTitle title="Dice" />);
  expect(document.title).toBe("Dice · Glasshouse");
  rerender(<PageTitle title="Crash" />);
  expect(document.title).toBe("Crash · Glasshouse");
  unmount();
  expect(document.title).toBe("Glasshouse");
});
