import { api, unwrap } from "@/api/client";
import { useQuery } from "@/api/hooks";
import type { components } from "@/api/schema";
import { withStepUp } from "@/api/step-up";

type Schemas = components["schemas"];

export type Email = Schemas["Email"];
export type Notices = Schemas["Notices"];

/** The player's e-mail address and notices. */
export function useEmail() {
  const { data, error, mutate } = useQuery("/api/account/email");
  return {
    email: data,
    hasFailed: error !== undefined,
    reload: async () => void (await mutate()),
    /** Shows what the server has answered. */
    show: (email: Email) => void mutate(email, { revalidate: false }),
  };
}

/** A link is sent to the address, which is used once the link is followed. */
export const changeEmail = (email: string, password: string) =>
  withStepUp(async () => unwrap(await api.PUT("/api/account/email", { body: { email, password } })));

export const removeEmail = (password: string) =>
  withStepUp(async () => unwrap(await api.POST("/api/account/email/remove", { body: { password } })));

export const chooseNotices = async (notices: Notices) =>
  unwrap(await api.PUT("/api/account/email/notices", { body: notices }));
