// Pages and their addresses. Everything else imports the router from here, so that one file knows which library it is.

import { type ComponentProps, type MouseEvent, type ReactNode, useCallback, useEffect, useMemo, useState } from "react";
import { Route as MatchedRoute, Switch, useParams as useMatchedParams } from "wouter";
import { navigate as changeAddress, useHistoryState, useLocationProperty } from "wouter/use-browser-location";

/** A part of this site's address; parts that follow a given one and are missing are empty. */
type Parts = { pathname?: string; search?: string; hash?: string };
export type To = string | Parts;
export type NavigateOptions = { replace?: boolean; state?: unknown };

export type Location = {
  pathname: string;
  /** With the question mark, or empty. */
  search: string;
  /** With the #, or empty. */
  hash: string;
  /** What the link or the redirect that led here has handed over. Links from other sites cannot set it. */
  state: unknown;
  /** Changes with every navigation, even to the same address. */
  key: number;
};

let navigations = 0;

function addressOf(to: To): string {
  if (typeof to === "string") return to;
  const { pathname = window.location.pathname, search = "", hash = "" } = to;
  return `${pathname}${search}${hash}`;
}

function navigate(to: To, options: NavigateOptions = {}): void {
  navigations += 1;
  changeAddress(addressOf(to), options);
}

/** A function that opens a page of this site. It is always the same one. */
export const useNavigate = (): typeof navigate => navigate;

const pathname = () => window.location.pathname;
const search = () => window.location.search;
const hash = () => window.location.hash;
const key = () => navigations;

/** The address of the current page. */
export function useLocation(): Location {
  const parts = {
    pathname: useLocationProperty(pathname),
    search: useLocationProperty(search),
    hash: useLocationProperty(hash),
    state: useHistoryState<unknown>(),
    key: useLocationProperty(key),
  };
  // oxlint-disable-next-line react-hooks/exhaustive-deps -- the parts are the dependencies
  return useMemo(() => parts, Object.values(parts));
}

/** The parameters in the path of the current route. */
export const useParams = (): Readonly<Partial<Record<string, string>>> => useMatchedParams();

type Search = URLSearchParams | Record<string, string>;

/** The parameters after the question mark, and how to replace all of them. */
export function useSearchParams(): [URLSearchParams, (next: Search, options?: NavigateOptions) => void] {
  const { search: text } = useLocation();
  const setParameters = useCallback((next: Search, options?: NavigateOptions) => {
    const changed = new URLSearchParams(next).toString();
    navigate({ search: changed === "" ? "" : `?${changed}` }, options);
  }, []);
  return [useMemo(() => new URLSearchParams(text), [text]), setParameters];
}

export type LinkProps = Omit<ComponentProps<"a">, "href"> & { to: string } & NavigateOptions;

/** Whether the browser is to open the link itself, such as in a new tab. */
const isForBrowser = (event: MouseEvent<HTMLAnchorElement>): boolean =>
  event.button !== 0 ||
  event.metaKey ||
  event.altKey ||
  event.ctrlKey ||
  event.shiftKey ||
  !["", "_self"].includes(event.currentTarget.target);

/** A link to a page of this site. A link to the current page adds no entry to the history. */
export function Link({ to, replace, state, onClick, children, ...rest }: LinkProps) {
  function open(event: MouseEvent<HTMLAnchorElement>) {
    onClick?.(event);
    if (event.defaultPrevented || isForBrowser(event)) return;
    event.preventDefault();
    const isHere = event.currentTarget.href === window.location.href;
    navigate(to, { replace: replace ?? isHere, state: state ?? null });
  }
  return (
    <a {...rest} href={to} onClick={open}>
      {children}
    </a>
  );
}

/** Leads on to another page when it is shown. */
export function Navigate({ to, replace = false, state = null }: { to: To } & NavigateOptions) {
  const address = addressOf(to);
  useEffect(() => {
    navigate(address, { replace, state });
    // Once per address, whatever the state looks like.
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- see above
  }, [address]);
  return null;
}

/** What is shown at a path, which may have parameters such as `/dashboard/:game`; `*` stands for any path. */
export function Route({ path, element }: { path: string; element: ReactNode }) {
  return <MatchedRoute path={path}>{element}</MatchedRoute>;
}

/** Shows the first of its routes that fits the address. Upper and lower case and a final slash make no difference. */
export const Routes = Switch;

/** For tests of a component with links: begins at an address. */
export function MemoryRouter({ initialEntries, children }: TestRouterProps) {
  useState(() => window.history.replaceState(null, "", initialEntries?.[0] ?? "/"));
  return children;
}
type TestRouterProps = { initialEntries?: readonly string[]; children: ReactNode };

/** For tests of a component with links: begins at the window's address. */
export function BrowserRouter({ children }: { children: ReactNode }) {
  return children;
}
