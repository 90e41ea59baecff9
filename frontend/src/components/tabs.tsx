import { Tabs as Radix } from "radix-ui";
import type { ComponentProps } from "react";
import { cn } from "@/lib/class-names";

export const Tabs = Radix.Root;
export const TabsContent = Radix.Content;

export function TabsList({ className, ...rest }: ComponentProps<typeof Radix.List>) {
  return <Radix.List className={cn("flex gap-1 rounded-control bg-well p-1", className)} {...rest} />;
}

export function TabsTrigger({ className, ...rest }: ComponentProps<typeof Radix.Trigger>) {
  return (
    <Radix.Trigger
      className={cn(
        "target flex-1 rounded-chip px-4 text-14 font-medium text-ink-2 transition-colors duration-[120ms] hover:text-ink data-[state=active]:bg-raised data-[state=active]:text-ink",
        className,
      )}
      {...rest}
    />
  );
}
