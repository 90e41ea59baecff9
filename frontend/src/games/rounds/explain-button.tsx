import { Waypoints } from "lucide-react";
import { IconButton } from "@/components/button";
import { useExplainRound } from "./explain";

/** Opens the explanation of how one of the player's rounds came about. */
export function ExplainButton({ roundId }: { roundId: number }) {
  const explain = useExplainRound();
  if (explain === null) return null;
  return (
    <IconButton
      label={`Round ${roundId}: how this result came about`}
      icon={<Waypoints aria-hidden className="size-4" />}
      onClick={() => explain(roundId)}
    />
  );
}
