import { useState } from "react";
import { api, errorMessage } from "@/api/client";
import { useSession } from "@/api/session";
import { Switch } from "@/components/switch";
import { toast } from "@/components/toast-store";

/** Whether other players see the name of this one next to the bets. */
export function NameSwitch({ onChanged }: { onChanged?(): Promise<void> }) {
  const { user, refresh } = useSession();
  const [wanted, setWanted] = useState<boolean | null>(null);
  if (!user) return null;
  const isShown = wanted ?? user.showsName;
  async function change(showsName: boolean) {
    setWanted(showsName);
    try {
      await api.PUT("/api/user/name-visibility", { body: { showsName } });
      // Also in the bets above, which the player may be looking at.
      await Promise.all([refresh(), onChanged?.()]);
    } catch (error) {
      toast({ title: "Error", description: errorMessage(error, "Something went wrong"), variant: "destructive" });
    }
    setWanted(null);
  }
  return (
    <div className="max-w-[520px]">
      <Switch
        label="Show my name in All bets and High wins"
        checked={isShown}
        isLocked={wanted !== null}
        onCheckedChange={(showsName) => void change(showsName)}
      />
      <p className="text-13 text-ink-3">
        {isShown ? (
          <>
            Everybody sees <strong className="font-semibold text-ink-2">{user.username}</strong> next to your bets, also
            earlier ones.
          </>
        ) : (
          <>
            Everybody sees <em>Hidden</em> next to your bets, also earlier ones.
          </>
        )}{" "}
        The bet, its result and its profit are shown either way.
      </p>
    </div>
  );
}
