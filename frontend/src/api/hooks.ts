import { createQueryHook } from "swr-openapi";
import { api } from "./client";

/** Loads a GET call by its path, typed from the OpenAPI document. */
export const useQuery = createQueryHook(api, "glasshouse");

/** For what the server does not change while a page is open: it is loaded when it is first shown, and then known. */
export const FETCH_ONCE = { revalidateIfStale: false } as const;
