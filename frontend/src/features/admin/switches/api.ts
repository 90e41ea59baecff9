import { api, idempotencyHeader } from "@/api/client";
import type { components } from "@/api/schema";
import { adminCall, type AdminUser } from "../api/admin";

type Schemas = components["schemas"];

export type HouseSwitch = Schemas["Switch"];
export type SwitchChange = Schemas["SwitchChange"];
export type RestrictionChange = Schemas["RestrictionChange"];
export type LimitedGame = Schemas["LimitedGame"];
export type GameLimitsChange = Schemas["GameLimitsChange"];
export type Restriction = RestrictionChange["restriction"];

export const fetchSwitches = (): Promise<HouseSwitch[]> => adminCall(api.GET("/api/admin/switches"));

/** Sets a switch, which the audit log records. Returns all switches. */
export const setSwitch = (name: HouseSwitch["name"], body: SwitchChange, key: string): Promise<HouseSwitch[]> =>
  adminCall(
    api.POST("/api/admin/switches/{switch}", { params: { path: { switch: name }, ...idempotencyHeader(key) }, body }),
  );

export const fetchLimitedGames = (): Promise<LimitedGame[]> => adminCall(api.GET("/api/admin/games"));

/** Sets the limits of a game, which the audit log records. Returns all games. */
export const setGameLimits = (name: string, body: GameLimitsChange, key: string): Promise<LimitedGame[]> =>
  adminCall(
    api.POST("/api/admin/games/{name}/limits", { params: { path: { name }, ...idempotencyHeader(key) }, body }),
  );

/** Blocks a player's betting or withdrawing, or lifts that, which the audit log records. */
export const setRestriction = (userId: number, body: RestrictionChange, key: string): Promise<AdminUser> =>
  adminCall(
    api.POST("/api/admin/users/{userId}/restrictions", {
      params: { path: { userId }, ...idempotencyHeader(key) },
      body,
    }),
  );
