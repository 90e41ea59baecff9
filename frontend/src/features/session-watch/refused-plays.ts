import { api, type ErrorBody, type ErrorCode } from "@/api/client";

/** A bet that the player's own limits or exclusion do not allow before a time. */
export type RefusedPlay = { title: string; message: string; until: string; isExcluded: boolean };

const TITLES: Readonly<Partial<Record<ErrorCode, string>>> = {
  stake_limit_reached: "Stake limit reached",
  loss_limit_reached: "Loss limit reached",
  session_time_reached: "Session time used",
  excluded: "You are excluded",
};

/** The refusal that a response contains, if it is one of a bet. Deposits show theirs beside their form. */
export function refusedPlayOf(path: string, body: Partial<ErrorBody>): RefusedPlay | null {
  const { code, message, until } = body;
  const title = code && TITLES[code];
  if (title === undefined || message === undefined || until === undefined) return null;
  if (path.startsWith("/api/deposits")) return null;
  return { title, message, until, isExcluded: code === "excluded" };
}

/** Calls back with each refusal, until the returned function is called. */
export function onRefusedPlay(listener: (refused: RefusedPlay) => void): () => void {
  const watch = {
    onResponse({ response, schemaPath }: { response: Response; schemaPath: string }) {
      if (response.status !== 422) return;
      // Nobody waits for it.
      void response
        .clone()
        .json()
        .then((body: Partial<ErrorBody>) => {
          const refused = refusedPlayOf(schemaPath, body);
          if (refused) listener(refused);
        })
        .catch(() => undefined);
    },
  };
  api.use(watch);
  return () => api.eject(watch);
}
