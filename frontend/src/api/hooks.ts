import { createQueryHook } from "swr-openapi";
import { api } from "./client";

/** Loads a GET call by its path, typed from the OpenAPI document. */
export const useQuery = createQueryHook(api, "glasshouse");
