import { ApiError, isDecided } from "@/api/client";

/** The round is not as the request assumed. */
export const isConflict = (error: unknown): boolean => error instanceof ApiError && error.status === 409;

/** A refusal of the request itself; after any other error the server may have a round that we do not know. */
export const isPlainRefusal = (error: unknown): boolean => isDecided(error) && !isConflict(error);
