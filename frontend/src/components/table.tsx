import type { ComponentProps } from "react";
import { cn } from "@/lib/class-names";

export function Table({ className, ...rest }: ComponentProps<"table">) {
  return <table className={cn("list-table", className)} {...rest} />;
}

export function TableHead({ className, ...rest }: ComponentProps<"th">) {
  return <th scope="col" className={cn("list-head first:pl-0 last:pr-0", className)} {...rest} />;
}

export function TableCell({ className, ...rest }: ComponentProps<"td">) {
  return <td className={cn("list-cell first:pl-0 last:pr-0", className)} {...rest} />;
}
