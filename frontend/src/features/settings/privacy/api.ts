import { api, unwrap } from "@/api/client";
import { withStepUp } from "@/api/step-up";

/** Everything that is stored about the player, as a zip file. */
export const downloadData = (password: string): Promise<Blob> =>
  withStepUp(async () => unwrap(await api.POST("/api/account/export", { body: { password }, parseAs: "blob" })));

/** All sessions end, and nobody can sign in any more. `givenUpBalance` is what is left of the balance, if anything is. */
export const closeAccount = (password: string, givenUpBalance: string | null) =>
  withStepUp(() =>
    api.POST("/api/account/closure", { body: { password, ...(givenUpBalance === null ? {} : { givenUpBalance }) } }),
  );
