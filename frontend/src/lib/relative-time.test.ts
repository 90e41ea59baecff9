import { expect, it } from "vitest";
import { relativeTime } from "./relative-time";

const NOW = Date.parse("2026-11-21T12:00:00Z");

it.each([
  ["2026-11-21T12:00:00Z", "just now"],
  ["2026-11-21T11:59:01Z", "just now"],
  ["2026-11-21T11:59:00Z", "1 minute ago"],
  ["2026-11-21T11:01:00Z", "59 minutes ago"],
  ["2026-11-21T11:00:00Z", "1 hour ago"],
  ["2026-11-20T12:00:01Z", "23 hours ago"],
  ["2026-11-20T12:00:00Z", "1 day ago"],
  ["2026-11-14T12:00:00Z", "1 week ago"],
  ["2026-10-15T12:00:00Z", "1 month ago"],
  ["2025-12-01T12:00:00Z", "11 months ago"],
  ["2024-11-01T12:00:00Z", "2 years ago"],
  // The browser's clock is slow.
  ["2026-11-21T12:10:00Z", "just now"],
])("%s is %s", (iso, expected) => expect(relativeTime(iso, NOW)).toBe(expected));
