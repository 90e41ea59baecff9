// The filters of the payments tab.

export const STANDINGS = [
  { value: "all", label: "All standings" },
  { value: "tracked", label: "Tracked" },
  { value: "quarantined", label: "Quarantined" },
  { value: "orphan", label: "Orphan" },
] as const;
export const REVIEW_STATES = [
  { value: "true", label: "Open" },
  { value: "false", label: "Resolved" },
] as const;
