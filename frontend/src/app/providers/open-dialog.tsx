import { useEffect } from "react";
import { useUser } from "@/api/session";
import { loadVerifiers } from "@/games/registry";
import { useLocation } from "@/lib/address";
import { lazyPart } from "@/lib/lazy-part";
import { StepUpHost } from "../step-up-host";
import { isPanelPath } from "../admin-path";
import type { Open } from "./dialogs";

/** Includes the verifiers of all games, so that an open dialog works offline. */
async function loadFairness() {
  const [dialogs] = await Promise.all([import("@/features/fairness"), loadVerifiers()]);
  return dialogs;
}
const FairnessDialog = lazyPart(async () => ({ default: (await loadFairness()).FairnessDialog }));
const ExplanationDialog = lazyPart(async () => ({ default: (await loadFairness()).ExplanationDialog }));
const DepositDialog = lazyPart(() =>
  import("@/features/wallet/deposit-dialog").then((module) => ({ default: module.DepositDialog })),
);
const WithdrawDialog = lazyPart(() =>
  import("@/features/wallet/withdraw-dialog").then((module) => ({ default: module.WithdrawDialog })),
);

const loadSearch = () => import("../search/search-dialog");
const SearchDialog = lazyPart(async () => ({ default: (await loadSearch()).SearchDialog }));
const loadPanelSearch = () => import("@/features/admin/shell/panel-search");
const PanelSearch = lazyPart(async () => ({ default: (await loadPanelSearch()).PanelSearch }));
const HotkeysDialog = lazyPart(() =>
  import("@/features/hotkeys").then((module) => ({ default: module.HotkeysDialog })),
);

/** The dialog that is open, if any. */
export default function OpenDialog({ open, onChange }: { open: Open | null; onChange(open: Open | null): void }) {
  const onOpenChange = (isOpen: boolean) => !isOpen && onChange(null);
  const user = useUser();
  const isSignedIn = user !== null;
  const isPanel = isPanelPath(useLocation().pathname) && user?.isAdmin === true;
  useEffect(() => {
    // It is small, and its users type on after its key. What could not be loaded is loaded again when it is opened.
    if (isSignedIn) void (isPanel ? loadPanelSearch : loadSearch)().catch(() => undefined);
  }, [isSignedIn, isPanel]);
  const Search = isPanel ? PanelSearch : SearchDialog;
  return (
    <>
      {open?.name === "deposit" && <DepositDialog open onOpenChange={onOpenChange} deposit={open.deposit} />}
      {open?.name === "withdraw" && (
        <>
          <WithdrawDialog open onOpenChange={onOpenChange} />
          <StepUpHost />
        </>
      )}
      {open?.name === "hotkeys" && <HotkeysDialog open onOpenChange={onOpenChange} />}
      {open?.name === "search" && <Search onClose={() => onChange(null)} />}
      {open?.name === "fairness" && <FairnessDialog open onOpenChange={onOpenChange} roundId={open.roundId} />}
      {open?.name === "explanation" && (
        <ExplanationDialog
          open
          onOpenChange={onOpenChange}
          roundId={open.roundId}
          onOpenSeeds={() => onChange({ name: "fairness" })}
        />
      )}
    </>
  );
}
