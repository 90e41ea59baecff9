import { verifyAsync } from "@noble/ed25519";
import type { Bytes } from "./bytes";

/** Verifies a signature by the strict rules of RFC 8032, as WebCrypto does. */
export async function verifyWithLibrary(publicKey: Bytes, message: Bytes, signature: Bytes): Promise<boolean> {
  try {
    return await verifyAsync(signature, message, publicKey, { zip215: false });
  } catch {
    // The library throws for keys and signatures that are no points or have the wrong length.
    return false;
  }
}
