import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, it } from "vitest";
import { Link, Navigate, Route, Routes, useLocation, useNavigate, useParams, useSearchParams } from "./address";

beforeEach(() => window.history.replaceState(null, "", "/start?a=1#part"));
afterEach(cleanup);

function Where() {
  const { pathname, search, hash, state } = useLocation();
  return <output>{JSON.stringify([`${pathname}${search}${hash}`, state])}</output>;
}
function Buttons() {
  const navigate = useNavigate();
  const [parameters, setParameters] = useSearchParams();
  return (
    <>
      <p>a is {parameters.get("a") ?? "missing"}</p>
      <button onClick={() => navigate({ hash: "#other" }, { replace: true })}>hash</button>
      <button onClick={() => setParameters({ a: "2 3" })}>search</button>
      <button onClick={() => setParameters({})}>no search</button>
    </>
  );
}
const Game = () => <p>the game {useParams().game}</p>;
/** jsdom cannot follow links. */
const stop = (event: Event) => event.preventDefault();
const shown = () => JSON.parse(screen.getByRole("status").textContent ?? "") as [string, unknown];

it("opens a link with its state, and adds an entry to the history only for another address", () => {
  render(
    <>
      <Where />
      <Link to="/next?b=2" state={{ from: "/x" }}>
        Next
      </Link>
    </>,
  );
  expect(shown()).toEqual(["/start?a=1#part", null]);
  const { length } = window.history;
  fireEvent.click(screen.getByText("Next"));
  expect(shown()).toEqual(["/next?b=2", { from: "/x" }]);
  expect(window.history).toHaveLength(length + 1);
  fireEvent.click(screen.getByText("Next"));
  expect(window.history).toHaveLength(length + 1);
});

it("leaves links that are to be opened elsewhere to the browser", () => {
  render(
    <>
      <Where />
      <Link to="/next">Next</Link>
      <Link to="/next" target="_blank">
        Tab
      </Link>
      <Link to="/next" onClick={(event) => event.preventDefault()}>
        Refused
      </Link>
    </>,
  );
  document.addEventListener("click", stop);
  for (const change of [{ ctrlKey: true }, { metaKey: true }, { shiftKey: true }, { altKey: true }, { button: 1 }])
    fireEvent.click(screen.getByText("Next"), change);
  fireEvent.click(screen.getByText("Tab"));
  fireEvent.click(screen.getByText("Refused"));
  document.removeEventListener("click", stop);
  expect(shown()[0]).toBe("/start?a=1#part");
});

it("changes one part of the address and drops those that follow it", () => {
  render(
    <>
      <Where />
      <Buttons />
    </>,
  );
  expect(screen.getByText("a is 1")).toBeVisible();
  fireEvent.click(screen.getByText("search"));
  expect(shown()[0]).toBe("/start?a=2+3");
  expect(screen.getByText("a is 2 3")).toBeVisible();
  fireEvent.click(screen.getByText("hash"));
  expect(shown()[0]).toBe("/start#other");
  fireEvent.click(screen.getByText("no search"));
  expect(shown()[0]).toBe("/start");
  expect(screen.getByText("a is missing")).toBeVisible();
});

it("shows the first route that fits, with its parameters, and follows redirects and the back button", async () => {
  render(
    <>
      <Where />
      <Routes>
        <Route path="/start" element={<Navigate to="/dashboard/dice" state={7} />} />
        <Route path="/dashboard/:game" element={<Game />} />
        <Route path="*" element={<p>nothing</p>} />
      </Routes>
    </>,
  );
  expect(screen.getByText("the game dice")).toBeVisible();
  expect(shown()).toEqual(["/dashboard/dice", 7]);
  act(() => window.history.pushState(null, "", "/elsewhere"));
  expect(screen.getByText("nothing")).toBeVisible();
  act(() => window.history.back());
  expect(await screen.findByText("the game dice")).toBeVisible();
});
