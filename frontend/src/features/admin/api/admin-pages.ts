import { api } from "@/api/client";
import { pageOf, pageQuery, type Pages, usePages } from "@/api/pages";
import { answerOf } from "./admin";

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

function useList<T>(list: string, filter: AdminFilter, ask: (query: ListQuery) => Promise<{ data?: T[]; response: Response }>): AdminPages<T> {
  const query = queryOf(filter);
  const pages = usePages(["admin", list, query], async (cursor) => pageOf(await answerOf(ask(listQuery(query, cursor)))));
  return { list, query, ...pages };
}

export type AdminPages<T> = Pages<T> & { list: string; query: string };

export const useAdminUsers = (filter: AdminFilter) => useList("users", filter, (query) => api.GET("/api/admin/users", { params: { query } }));
export const useAdminWithdrawals = (filter: AdminFilter) => useList("withdraw-requests", filter, (query) => api.GET("/api/admin/withdraw-requests", { params: { query } }));
export const useAdminGames = (filter: AdminFilter) => useList("game-history", filter, (query) => api.GET("/api/admin/game-history", { params: { query } }));
export const useAdminDeposits = (filter: AdminFilter) => useList("deposits", filter, (query) => api.GET("/api/admin/deposits", { params: { query } }));
export const useAdminLogs = (filter: AdminFilter) => useList("logs", filter, (query) => api.GET("/api/admin/logs", { params: { query } }));
export const useAdminPayments = (filter: AdminFilter) => useList("payment-statuses", filter, (query) => api.GET("/api/admin/payment-statuses", { params: { query } }));
export const useAdminReviews = (filter: AdminFilter) => useList("reviews", filter, (query) => api.GET("/api/admin/reviews", { params: { query } }));

/** Where a list with its filter is had as CSV. */
export const exportAddress = (list: string, query: string): string => `/api/admin/export/${list}.csv${query === "" ? "" : `?${query}`}`;
