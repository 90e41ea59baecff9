import { vi } from "vitest";

// Import this before anything that imports the API client, which captures fetch when it is created.

/** The stub that answers the API client's requests. */
export const fetched = vi.fn<(request: Request) => Promise<Response>>();

/** Node has no base URL for relative addresses. */
class PageRequest extends Request {
  constructor(address: string, options?: RequestInit) {
    super(new URL(address, "http://localhost"), options);
  }
}
vi.stubGlobal("fetch", fetched);
vi.stubGlobal("Request", PageRequest);
