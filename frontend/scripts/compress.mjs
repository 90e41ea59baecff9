// Writes a .br and a .gz next to each text file that is large enough, for the server to choose from.
import { readdir, readFile, writeFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";

const TEXT = new Set([".js", ".css", ".svg", ".json", ".txt"]);
const MIN_BYTES = 1024;

for (const entry of await readdir("dist", { recursive: true, withFileTypes: true })) {
  const path = join(entry.parentPath ?? entry.path, entry.name);
  if (!entry.isFile() || !TEXT.has(extname(path))) continue;
  const content = await readFile(path);
  if (content.length < MIN_BYTES) continue;
  await writeFile(`${path}.br`, brotliCompressSync(content));
  await writeFile(`${path}.gz`, gzipSync(content, { level: 9 }));
}
