import { api, unwrap } from "@/api/client";
import { useQuery } from "@/api/hooks";
import { pageOf, pageQuery, type Pages, usePages } from "@/api/pages";
import { createPasskey } from "@/api/passkeys";
import type { components } from "@/api/schema";
import { withStepUp } from "@/api/step-up";

type Schemas = components["schemas"];

export type AccountSession = Schemas["AccountSession"];
export type SecurityEvent = Schemas["SecurityEvent"];
export type AuthenticatorSecret = Schemas["AuthenticatorSecret"];
export type PasswordChange = Schemas["NewPasswordRequest"];

const PAGE_SIZE = 20;

/** All other sessions end, and this one goes on. */
export const changePassword = (body: PasswordChange) => withStepUp(() => api.POST("/api/account/password", { body }));

export const endSession = (id: string) =>
  withStepUp(() => api.DELETE("/api/account/sessions/{id}", { params: { path: { id } } }));
export const endOtherSessions = () => withStepUp(() => api.DELETE("/api/account/sessions"));

/** Begins to set an authenticator up. It counts once its first code was entered. */
export const beginAuthenticator = () =>
  withStepUp(async () => unwrap(await api.POST("/api/account/second-factor/authenticator")));

/** Enters the first code of the authenticator that is being set up, and returns new recovery codes. */
export const confirmAuthenticator = (code: string) =>
  withStepUp(
    async () =>
      unwrap(await api.POST("/api/account/second-factor/authenticator/confirm", { body: { code } })).recoveryCodes,
  );

export const replaceRecoveryCodes = () =>
  withStepUp(async () => unwrap(await api.POST("/api/account/second-factor/recovery-codes")).recoveryCodes);

export const removeAuthenticator = () => withStepUp(() => api.DELETE("/api/account/second-factor/authenticator"));

const PASSKEYS = "/api/account/second-factor/passkeys";

const beginPasskey = () => withStepUp(async () => unwrap(await api.POST(`${PASSKEYS}/ceremony`)));

/** Adds a passkey, and returns the recovery codes if it is the first second factor. */
export async function addPasskey(name: string, signal: AbortSignal): Promise<readonly string[] | null> {
  const body = { ...(await createPasskey(beginPasskey, signal)), name };
  return (await withStepUp(async () => unwrap(await api.POST(PASSKEYS, { body })))).recoveryCodes;
}

export const removePasskey = (id: string) =>
  withStepUp(() => api.DELETE(`${PASSKEYS}/{id}`, { params: { path: { id } } }));

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
