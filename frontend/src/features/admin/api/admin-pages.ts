import { api } from "@/api/client";
import { type Page, pageOf, pageQuery, type Pages, usePages } from "@/api/pages";
import type { paths } from "@/api/schema";
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

type ListPath = {
  [P in keyof paths]: P extends `/api/admin/${string}` ? (paths[P] extends { get: { parameters: { query?: { cursor?: string } } } } ? P : never) : never;
}[keyof paths];

/** The lists, by their names in the addresses. */
export type AdminListName = ListPath extends `/api/admin/${infer Name}` ? Name : never;

type ListAnswer<Row> = { get: { responses: { 200: { content: { "application/json": Row[] } } } } };

/** What a list is a list of. The server writes nulls out, so `Required` says what is there. */
export type AdminRow<L extends AdminListName> = paths[`/api/admin/${L}`] extends ListAnswer<infer Row> ? Required<Row> : never;

export type AdminPages<T> = Pages<T> & { list: AdminListName; query: string };

async function fetchPage<T>(path: ListPath, query: string, cursor: string | null): Promise<Page<T>> {
  // What is chosen comes from the address bar: the server says which words it knows.
  const asked = { ...Object.fromEntries(new URLSearchParams(query)), ...pageQuery(PAGE_SIZE, cursor) };
  return pageOf<T>(await answerOf(api.GET(path, { params: { query: asked } })));
}

/** A list, page by page. */
export function useAdminList<L extends AdminListName>(list: L, filter: AdminFilter): AdminPages<AdminRow<L>> {
  const query = queryOf(filter);
  const pages = usePages<AdminRow<L>>(["admin", list, query], (cursor) => fetchPage(`/api/admin/${list}`, query, cursor));
  return { list, query, ...pages };
}

/** Where a list with its filter is had as CSV. */
export const exportAddress = (list: string, query: string): string => `/api/admin/export/${list}.csv${query === "" ? "" : `?${query}`}`;
