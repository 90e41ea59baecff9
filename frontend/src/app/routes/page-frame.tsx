import type { ReactNode } from "react";

/** The width and margins of a screen. */
export function PageFrame({ children }: { children: ReactNode }) {
  return (
    <div className="mx-auto grid w-full max-w-[1180px] grid-cols-[minmax(0,1fr)] gap-4 p-4 max-lg:pt-3 lg:gap-5 lg:p-6 low:has-[[data-dock]]:pt-1 short:gap-2 short:pt-2">
      {children}
    </div>
  );
}
