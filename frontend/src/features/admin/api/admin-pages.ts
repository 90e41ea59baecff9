import { api } from "@/api/client";
import { pageOf, pageQuery, type Pages, usePages } from "@/api/pages";
import { watchAccess } from "./admin";

// The lists of the administrators' panel, page by page, and their addresses as CSV.

/** What each list can be narrowed to; what is undefined or empty is left out. */
export type AdminFilter = Readonly<Record<string, string | undefined>>;

const PAGE_SIZE = 50;

/** A filter in the form of an address: the same for the same filter, whatever its order. */
export function queryOf(filter: AdminFilter): string {
  const query = new URLSearchParams();
  for (const name of Object.keys(filter).toSorted()) if (filter[name]) query.set(name, filter[name]);
  return query.toString();
}

type ListQuery = ReturnType<typeof listQuery>;

/** What to ask a page by. What is chosen comes from the address bar: the server says which words it knows. */
function listQuery(query: string, cursor: string | null) {
  return { ...Object.fromEntries(new URLSearchParams(query)), ...pageQuery(PAGE_SIZE, cursor) };
}

/** The lists, by their names in the addresses, and how a page of each is asked for. */
const LISTS = {
  users: (query: ListQuery) => api.GET("/api/admin/users", { params: { query } }),
  "withdraw-requests": (query: ListQuery) => api.GET("/api/admin/withdraw-requests", { params: { query } }),
  "game-history": (query: ListQuery) => api.GET("/api/admin/game-history", { params: { query } }),
  deposits: (query: ListQuery) => api.GET("/api/admin/deposits", { params: { query } }),
  logs: (query: ListQuery) => api.GET("/api/admin/logs", { params: { query } }),
  "payment-statuses": (query: ListQuery) => api.GET("/api/admin/payment-statuses", { params: { query } }),
  reviews: (query: ListQuery) => api.GET("/api/admin/reviews", { params: { query } }),
};

export type AdminListName = keyof typeof LISTS;

/** What a list is a list of. */
export type AdminRow<L extends AdminListName> = NonNullable<Awaited<ReturnType<(typeof LISTS)[L]>>["data"]>[number];

export type AdminPages<T> = Pages<T> & { list: AdminListName; query: string };

type Ask<T> = (query: ListQuery) => Promise<{ data?: T[]; response: Response }>;

/** A list, page by page. */
export function useAdminList<L extends AdminListName>(list: L, filter: AdminFilter): AdminPages<AdminRow<L>> {
  const query = queryOf(filter);
  const ask: Ask<AdminRow<L>> = LISTS[list];
  const pages = usePages(["admin", list, query], async (cursor) =>
    pageOf(await watchAccess(ask(listQuery(query, cursor)))),
  );
  return { list, query, ...pages };
}

/** Where a list with its filter is had as CSV. */
export const exportAddress = (list: string, query: string): string =>
  `/api/admin/export/${list}.csv${query === "" ? "" : `?${query}`}`;
