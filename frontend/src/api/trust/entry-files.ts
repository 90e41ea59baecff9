import type { Bytes } from "@/lib/trust/bytes";
import { bundlePath, entryIn } from "@/lib/trust/entry";
import { ApiError } from "../error";
import type { Place } from "./pending-proofs";

type FetchFile = (path: string) => Promise<Bytes>;

/** Reads entries from the files of the public log, each of which has many. */
export class EntryFiles {
  readonly #fetch: FetchFile;
  /** The last file: neighbouring rounds are often in the same one. */
  #last: { path: string; file: Promise<Bytes> } | null = null;

  constructor(fetch: FetchFile) {
    this.#fetch = fetch;
  }

  async read({ index, size }: Place): Promise<Bytes> {
    try {
      return entryIn(await this.#file(bundlePath(index, size)), index);
    } catch (error) {
      if (!(error instanceof ApiError && error.status === 404)) throw error;
      // A partial file can be removed once the full one exists.
      return entryIn(await this.#file(bundlePath(index, Infinity)), index);
    }
  }

  #file(path: string): Promise<Bytes> {
    if (this.#last?.path !== path) this.#last = { path, file: this.#fetch(path) };
    const { file } = this.#last;
    // A failure must not be kept.
    file.catch(() => {
      if (this.#last?.path === path) this.#last = null;
    });
    return file;
  }
}
