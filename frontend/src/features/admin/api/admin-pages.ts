import { api } from "@/api/client";
import { type Page, pageOf, pageQuery, type Pages, usePages } from "@/api/pages";
import type { paths } from "@/api/schema";
import { type AdminDeposit, type AdminGame, type AdminLog, type AdminUser, type AdminWithdrawal, answerOf, type PaymentStatus, type Review } from "./admin";

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

type ListPath = {
  [P in keyof paths]: P extends `/api/admin/${string}` ? (paths[P] extends { get: { parameters: { query?: { cursor?: string } } } } ? P : never) : never;
}[keyof paths];

async function fetchPage<T>(path: ListPath, query: string, cursor: string | null): Promise<Page<T>> {
  // What is chosen comes from the address bar: the server says which words it knows.
  const asked = { ...Object.fromEntries(new URLSearchParams(query)), ...pageQuery(PAGE_SIZE, cursor) };
  return pageOf<T>(await answerOf(api.GET(path, { params: { query: asked } })));
}

function useList<T>(list: string, path: ListPath, filter: AdminFilter) {
  const query = queryOf(filter);
  const pages = usePages<T>(["admin", list, query], (cursor) => fetchPage<T>(path, query, cursor));
  return { list, query, ...pages };
}

export type AdminPages<T> = Pages<T> & { list: string; query: string };

export const useAdminUsers = (filter: AdminFilter): AdminPages<AdminUser> => useList<AdminUser>("users", "/api/admin/users", filter);
export const useAdminWithdrawals = (filter: AdminFilter): AdminPages<AdminWithdrawal> =>
  useList<AdminWithdrawal>("withdraw-requests", "/api/admin/withdraw-requests", filter);
export const useAdminGames = (filter: AdminFilter): AdminPages<AdminGame> => useList<AdminGame>("game-history", "/api/admin/game-history", filter);
export const useAdminDeposits = (filter: AdminFilter): AdminPages<AdminDeposit> => useList<AdminDeposit>("deposits", "/api/admin/deposits", filter);
export const useAdminLogs = (filter: AdminFilter): AdminPages<AdminLog> => useList<AdminLog>("logs", "/api/admin/logs", filter);
export const useAdminPayments = (filter: AdminFilter): AdminPages<PaymentStatus> =>
  useList<PaymentStatus>("payment-statuses", "/api/admin/payment-statuses", filter);
export const useAdminReviews = (filter: AdminFilter): AdminPages<Review> => useList<Review>("reviews", "/api/admin/reviews", filter);

/** Where a list with its filter is had as CSV. */
export const exportAddress = (list: string, query: string): string => `/api/admin/export/${list}.csv${query === "" ? "" : `?${query}`}`;
