import { api, unwrap } from "@/api/client";
import { useQuery } from "@/api/hooks";
import { pageOf, pageQuery, type Pages, usePages } from "@/api/pages";
import type { components } from "@/api/schema";
import type { LimitKind, LimitPeriod } from "@/lib/limit-texts";

type Schemas = components["schemas"];

export type PlayerLimit = Schemas["PlayerLimit"];
export type LimitChange = Schemas["LimitChange"];
export type LimitOverview = Schemas["LimitOverview"];
export type Exclusion = Schemas["Exclusion"];
export type ExclusionRequest = Schemas["ExclusionRequest"];

/** What a limit is about. */
export type LimitSlot = { kind: LimitKind; period: LimitPeriod };

const PAGE_SIZE = 20;

const at = ({ kind, period }: LimitSlot) => ({ params: { path: { kind, period } } });

/** Sets, lowers, or asks to raise a limit; null asks to remove it. */
export const setLimit = async (slot: LimitSlot, value: string | null): Promise<LimitOverview> =>
  unwrap(await api.PUT("/api/limits/{kind}/{period}", { ...at(slot), body: { value } }));
export const confirmLimit = async (slot: LimitSlot): Promise<LimitOverview> =>
  unwrap(await api.POST("/api/limits/{kind}/{period}/confirm", at(slot)));
export const withdrawLimit = async (slot: LimitSlot): Promise<LimitOverview> =>
  unwrap(await api.DELETE("/api/limits/{kind}/{period}/pending", at(slot)));

export const exclude = async (body: ExclusionRequest): Promise<Exclusion> =>
  unwrap(await api.POST("/api/exclusions", { body }));
export const setRealityCheck = async (minutes: number | null): Promise<LimitOverview> =>
  unwrap(await api.PUT("/api/reality-check", { body: { minutes } }));

/** The player's limits, exclusion and reality check. */
export function useLimits() {
  const { data, error, mutate } = useQuery("/api/limits");
  return {
    overview: data,
    hasFailed: error !== undefined,
    reload: async () => void (await mutate()),
    /** Shows what the server has answered to a change. */
    show: (overview: LimitOverview) => void mutate(overview, { revalidate: false }),
  };
}
export type Limits = ReturnType<typeof useLimits>;

/** The changes of the player's limits, newest first. */
export const useLimitChanges = (): Pages<LimitChange> =>
  usePages(["limit-changes"], async (cursor) =>
    pageOf(await api.GET("/api/limits/changes", { params: { query: pageQuery(PAGE_SIZE, cursor) } })),
  );

/** The player's exclusions, newest first. */
export const useExclusions = () => useQuery("/api/exclusions");
