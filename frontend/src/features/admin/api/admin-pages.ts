import { useEffect, useState } from "react";
import { api } from "@/api/client";
import { pageOf, pageQuery, type Pages, usePages } from "@/api/pages";
import { firstPageOf, keepRows } from "../live/kept-rows";
import { type TimelineEntry, watchAccess } from "./admin";

// The panel's paginated lists, and the addresses of their CSV exports.

/** A list's filters; undefined and empty ones are left out. */
export type AdminFilter = Readonly<Record<string, string | undefined>>;

const PAGE_SIZE = 50;

/** A filter as a query string, independent of the order of its keys. */
export function queryOf(filter: AdminFilter): string {
  const query = new URLSearchParams();
  for (const name of Object.keys(filter).toSorted()) if (filter[name]) query.set(name, filter[name]);
  return query.toString();
}

type ListQuery = ReturnType<typeof listQuery>;

/** The query parameters of a page. Filter values come from the address bar; the server validates them. */
function listQuery(query: string, limit: number, cursor: string | null) {
  return { ...Object.fromEntries(new URLSearchParams(query)), ...pageQuery(limit, cursor) };
}

/** The lists by their path, and how to fetch a page of each. */
const LISTS = {
  users: (query: ListQuery) => api.GET("/api/admin/users", { params: { query } }),
  "withdraw-requests": (query: ListQuery) => api.GET("/api/admin/withdraw-requests", { params: { query } }),
  "game-history": (query: ListQuery) => api.GET("/api/admin/game-history", { params: { query } }),
  deposits: (query: ListQuery) => api.GET("/api/admin/deposits", { params: { query } }),
  logs: (query: ListQuery) => api.GET("/api/admin/logs", { params: { query } }),
  "payment-statuses": (query: ListQuery) => api.GET("/api/admin/payment-statuses", { params: { query } }),
  proposals: (query: ListQuery) => api.GET("/api/admin/proposals", { params: { query } }),
  alerts: (query: ListQuery) => api.GET("/api/admin/alerts", { params: { query } }),
  reviews: (query: ListQuery) => api.GET("/api/admin/reviews", { params: { query } }),
};

export type AdminListName = keyof typeof LISTS;

/** The entry type of a list. */
export type AdminRow<L extends AdminListName> = NonNullable<Awaited<ReturnType<(typeof LISTS)[L]>>["data"]>[number];

export type AdminPages<T> = Pages<T> & {
  list: AdminListName;
  query: string;
  /** When the server last answered; null before that. */
  loadedAtMs: number | null;
};

type Ask<T> = (query: ListQuery) => Promise<{ data?: T[]; response: Response }>;

/** A list, page by page. */
export function useAdminList<L extends AdminListName>(list: L, filter: AdminFilter): AdminPages<AdminRow<L>> {
  const query = queryOf(filter);
  const name = `${list}?${query}`;
  const [loadedAtMs, setLoadedAtMs] = useState<number | null>(null);
  const ask: Ask<AdminRow<L>> = LISTS[list];
  const pages = usePages(["admin", list, query], async (cursor) => {
    const limit = cursor === null ? firstPageOf(name, PAGE_SIZE) : PAGE_SIZE;
    const page = pageOf(await watchAccess(ask(listQuery(query, limit, cursor))));
    setLoadedAtMs(Date.now());
    return page;
  });
  const count = pages.entries.length;
  useEffect(() => {
    if (count > 0) keepRows(name, count);
  }, [name, count]);
  return { list, query, loadedAtMs, ...pages };
}

/** What happened to the access to a user's account. */
export const useSecurityEvents = (userId: number) =>
  usePages(["admin", "security-events", userId], async (cursor) =>
    pageOf(
      await watchAccess(
        api.GET("/api/admin/users/{userId}/security-events", {
          params: { path: { userId }, query: pageQuery(PAGE_SIZE, cursor) },
        }),
      ),
    ),
  );

/** What narrows a timeline: one kind, and a period whose end is exclusive. */
export type TimelineFilter = { kind?: TimelineEntry["kind"]; from?: string; to?: string };

/** What happened with a player. */
export const useTimeline = (userId: number, filter: TimelineFilter) =>
  usePages(["admin", "timeline", userId, filter], async (cursor) =>
    pageOf(
      await watchAccess(
        api.GET("/api/admin/users/{userId}/timeline", {
          params: {
            path: { userId },
            query: { ...pageQuery(PAGE_SIZE, cursor), ...filter },
          },
        }),
      ),
    ),
  );

/** The address of a list's CSV export with its filter. */
export const exportAddress = (list: string, query: string): string =>
  `/api/admin/export/${list}.csv${query === "" ? "" : `?${query}`}`;
