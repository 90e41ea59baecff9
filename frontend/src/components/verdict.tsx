import { CircleCheck, CircleX } from "lucide-react";
import { cn } from "@/lib/class-names";

/** Shows in words, symbol and colour whether something holds. */
export function Verdict({ holds, good, bad }: { holds: boolean; good: string; bad: string }) {
  const Icon = holds ? CircleCheck : CircleX;
  return (
    <p
      role="status"
      className={cn("flex items-start gap-2 text-14 font-semibold", holds ? "text-info" : "text-notice")}
    >
      <Icon aria-hidden className="mt-0.5 size-4 shrink-0" />
      {holds ? good : bad}
    </p>
  );
}
