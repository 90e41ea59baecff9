// The search of the panel: a user by name or ID, one of its tabs, or the page of a withdrawal, payment or round by its ID.

import { ArrowUpFromLine, CreditCard, Dices, type LucideIcon, User } from "lucide-react";
import { useState } from "react";
import useSWR from "swr";
import { type Command, type CommandGroup, CommandDialog } from "@/components/command-dialog";
import { useNavigate } from "@/lib/address";
import { searched } from "@/lib/search";
import { useSettled } from "@/lib/use-settled";
import { type AdminUser, fetchUser, searchUsers } from "../api/admin";
import { userIdOf } from "../decisions/rules";
import { paymentAddress, roundAddress, userAddress, withdrawalAddress } from "../lists/cells";
import { tabAddress } from "../tabs";
import { usePanelTabs } from "./panel-tabs";

/** A search begins once typing has paused for this long. */
const DELAY_MS = 200;
const FOUND = 8;

/** Users with that name or ID. The one with exactly that ID comes first. */
export async function findUsers(query: string): Promise<AdminUser[]> {
  const id = userIdOf(query.replace(/^#/, ""));
  const [exact, others] = await Promise.all([id === null ? null : fetchUser(id), searchUsers(query, FOUND)]);
  return exact === null ? others : [exact, ...others.filter((user) => user.id !== exact.id)];
}

type FoundPage = { name: string; address: string; Icon: LucideIcon };

/** The pages that an ID may belong to. Whether there are such ones is looked up only where they are shown. */
export function pagesOf(query: string): FoundPage[] {
  const digits = query.replace(/^#/, "");
  if (userIdOf(digits) === null) return [];
  return [
    { name: `Withdrawal ${digits}`, address: withdrawalAddress(Number(digits)), Icon: ArrowUpFromLine },
    { name: `Payment ${digits}`, address: paymentAddress(digits), Icon: CreditCard },
    { name: `Round ${digits}`, address: roundAddress(Number(digits)), Icon: Dices },
  ];
}

export function PanelSearch({ onClose }: { onClose(): void }) {
  const [query, setQuery] = useState("");
  const navigate = useNavigate();
  const wanted = useSettled(query.trim(), DELAY_MS);
  const users = useSWR(wanted === "" ? null : ["admin", "search-users", wanted], () => findUsers(wanted), {
    keepPreviousData: true,
  });
  const tabs = usePanelTabs().map((tab) => ({
    id: `tab-${tab.value}`,
    label: tab.label,
    keywords: [],
    Icon: tab.Icon,
    run: () => navigate(tabAddress(tab.value)),
  }));
  const isSearching = query.trim() !== "" && (wanted !== query.trim() || users.isLoading);
  const groups: CommandGroup[] = [
    { name: "Users", commands: query.trim() === "" ? [] : (users.data ?? []).map(userCommand) },
    // Only once the user with that ID has been looked for, who comes first.
    { name: "Go to", commands: isSearching ? [] : pagesOf(query.trim()).map(pageCommand) },
    { name: "Tabs", commands: query.trim() === "" ? tabs : searched(query, tabs) },
  ];
  function userCommand(user: AdminUser): Command {
    return {
      id: `user-${user.id}`,
      label: user.username,
      hint: `#${user.id}`,
      Icon: User,
      run: () => navigate(userAddress(user.id)),
    };
  }
  function pageCommand({ name, address, Icon }: FoundPage): Command {
    return { id: address, label: name, Icon, run: () => navigate(address) };
  }
  return (
    <CommandDialog
      title="Search the panel"
      placeholder="A user's name, an ID, or a tab"
      query={query}
      onQueryChange={setQuery}
      groups={groups}
      isSearching={isSearching}
      nothingFound={
        isSearching
          ? "Searching…"
          : users.error === undefined
            ? `No user and no tab found for “${query.trim()}”.`
            : "The users could not be searched. Please check your connection and try again."
      }
      onClose={onClose}
      onChoose={() => undefined}
    />
  );
}
