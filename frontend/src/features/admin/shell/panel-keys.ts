// The keys of the panel that act on every one of its screens. A list adds its own.

import { useNavigate } from "@/lib/address";
import { type Hotkey, useHotkeys } from "@/lib/hotkeys";
import { tabAddress } from "../tabs";
import { usePanelTabs } from "./panel-tabs";

export function usePanelKeys(openSearch: () => void): void {
  const navigate = useNavigate();
  const goTo = usePanelTabs().map(({ value, label, letter }): Hotkey => ({
    key: `g ${letter}`,
    label: `Go to ${label}`,
    run: () => navigate(tabAddress(value)),
  }));
  useHotkeys([{ key: "/", label: "Search the panel", run: openSearch }, ...goTo]);
}
