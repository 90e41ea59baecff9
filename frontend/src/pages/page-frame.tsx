import type { ReactNode } from "react";

/** The measure and the margins of a screen. */
export function PageFrame({ children }: { children: ReactNode }) {
  return <div className="mx-auto grid w-full max-w-[1180px] gap-5 p-4 lg:p-6">{children}</div>;
}
