import type { components } from "./schema";

type Schemas = components["schemas"];

export type CurrentUser = Schemas["CurrentUser"];
export type Permission = Schemas["Permission"];
export type Role = Schemas["Role"];
