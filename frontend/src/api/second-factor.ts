// What the user has as the second factor, for the settings and for confirmations.

import { api, unwrap } from "./client";
import { useQuery } from "./hooks";
import type { components } from "./schema";

type Schemas = components["schemas"];

export type SecondFactor = Schemas["SecondFactor"];
export type Passkey = Schemas["Passkey"];

const PATH = "/api/account/second-factor";

export const fetchSecondFactor = async (): Promise<SecondFactor> => unwrap(await api.GET(PATH));

export function useSecondFactor() {
  const { data, error, mutate } = useQuery(PATH);
  return { state: data, hasFailed: error !== undefined, reload: async () => void (await mutate()) };
}
