import type { ComponentProps } from "react";
import { cn } from "@/lib/class-names";

export function Table({ className, ...rest }: ComponentProps<"table">) {
  return <table className={cn("w-full border-collapse text-14", className)} {...rest} />;
}

export function TableHead({ className, ...rest }: ComponentProps<"th">) {
  return (
    <th
      scope="col"
      className={cn(
        "sticky top-0 bg-panel px-3 py-2.5 text-left text-13 font-medium text-ink-3 first:pl-0 last:pr-0",
        className,
      )}
      {...rest}
    />
  );
}

export function TableCell({ className, ...rest }: ComponentProps<"td">) {
  return <td className={cn("border-t border-line px-3 py-2.5 first:pl-0 last:pr-0", className)} {...rest} />;
}
