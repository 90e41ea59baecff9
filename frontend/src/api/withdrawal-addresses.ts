// The player's address book, for the withdraw dialog and the settings.

import { api } from "./client";
import { useQuery } from "./hooks";
import type { components } from "./schema";
import { withStepUp } from "./step-up";

type Schemas = components["schemas"];

export type AddressBook = Schemas["AddressBook"];
export type WithdrawalAddress = Schemas["WithdrawalAddress"];
export type NewAddress = Schemas["CreateAddress"];

const PATH = "/api/account/withdrawal-addresses";
const withId = (id: number) => ({ params: { path: { id } } });

export function useAddressBook() {
  const { data, error, mutate } = useQuery(PATH);
  return {
    book: data,
    hasFailed: error !== undefined,
    reload: async () => void (await mutate()),
  };
}
export type OwnAddressBook = ReturnType<typeof useAddressBook>;

export const addAddress = (body: NewAddress) => withStepUp(() => api.POST(PATH, { body }));
export const renameAddress = (id: number, label: string) =>
  withStepUp(() => api.PUT(`${PATH}/{id}/label`, { ...withId(id), body: { label } }));
export const removeAddress = (id: number) => withStepUp(() => api.DELETE(`${PATH}/{id}`, withId(id)));
