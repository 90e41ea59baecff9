/** Whether a path belongs to the administrators' panel: `/admin` and all below it. */
export const isPanelPath = (pathname: string): boolean => /^\/admin(\/|$)/i.test(pathname);
