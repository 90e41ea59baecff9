/** `count` random bytes in hexadecimal. */
export function randomHex(count: number): string {
  const bytes = crypto.getRandomValues(new Uint8Array(count));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** A random UUID. `crypto.randomUUID` does not exist on pages without TLS. */
export const randomUuid = (): string =>
  randomHex(16).replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, "$1-$2-4$3-a$4-$5");
