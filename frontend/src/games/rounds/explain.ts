import { createContext, use } from "react";

/** Opens the explanation of how a round's result came about; null where there is none to open. */
export const ExplainRoundContext = createContext<((roundId: number) => void) | null>(null);

export const useExplainRound = (): ((roundId: number) => void) | null => use(ExplainRoundContext);
