import { useHotkeys } from "@/lib/hotkeys";

/** The key C cashes out during a round, also in the bet's fields, which are read-only then. */
export function useCashOutKey(isPlaying: boolean, cashOut: () => void, label = "Cash out"): void {
  useHotkeys([
    {
      key: "c",
      label,
      worksInLockedField: true,
      run() {
        if (!isPlaying) return false;
        cashOut();
        return true;
      },
    },
  ]);
}
