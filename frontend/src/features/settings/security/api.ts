import { api } from "@/api/client";
import { useQuery } from "@/api/hooks";
import { pageOf, pageQuery, type Pages, usePages } from "@/api/pages";
import type { components } from "@/api/schema";

type Schemas = components["schemas"];

export type AccountSession = Schemas["AccountSession"];
export type SecurityEvent = Schemas["SecurityEvent"];
export type PasswordChange = Schemas["NewPasswordRequest"];

const PAGE_SIZE = 20;

/** All other sessions end, and this one goes on. */
export const changePassword = (body: PasswordChange) => api.POST("/api/account/password", { body });

export const endSession = (id: string) => api.DELETE("/api/account/sessions/{id}", { params: { path: { id } } });
export const endOtherSessions = () => api.DELETE("/api/account/sessions");

/** The sessions in which the player is signed in. */
export function useOwnSessions() {
  const { data, error, mutate } = useQuery("/api/account/sessions");
  return {
    list: data,
    hasFailed: error !== undefined,
    reload: async () => void (await mutate()),
    /** Leaves only those that are to be kept, without asking the server. */
    keep: (isKept: (session: AccountSession) => boolean) =>
      void mutate((known) => known?.filter(isKept), { revalidate: false }),
  };
}
export type OwnSessions = ReturnType<typeof useOwnSessions>;

/** What happened to the access to the player's account, newest first. */
export const useOwnSecurityEvents = (): Pages<SecurityEvent> =>
  usePages(["security-events"], async (cursor) =>
    pageOf(await api.GET("/api/account/security-events", { params: { query: pageQuery(PAGE_SIZE, cursor) } })),
  );
