import { createQueryHook } from "swr-openapi";
import { api } from "./client";

/** Fetches a GET endpoint by its path, typed from the OpenAPI document. */
export const useQuery = createQueryHook(api, "glasshouse");

/** For data that does not change while a page is open: fetched once, when it is first shown. */
export const FETCH_ONCE = { revalidateIfStale: false } as const;
