import { NoWebCryptoError, subtle } from "@/lib/fairness/stream";
import type { Bytes } from "./bytes";

/** Whether this browser's WebCrypto has Ed25519; undefined until the first signature. */
let isNative: boolean | undefined;

const isNotSupported = (error: unknown): boolean =>
  typeof error === "object" && error !== null && "name" in error && error.name === "NotSupportedError";

async function importKey(publicKey: Bytes): Promise<CryptoKey | null> {
  if (isNative === false) return null;
  try {
    const key = await subtle().importKey("raw", publicKey, "Ed25519", false, ["verify"]);
    isNative = true;
    return key;
  } catch (error) {
    if (error instanceof NoWebCryptoError) throw error;
    if (isNotSupported(error)) isNative = false;
    // Otherwise the key is no point on the curve, which the library says too.
    return null;
  }
}

/** Verifies a signature with WebCrypto, or with a library that is loaded when the browser lacks Ed25519. */
export async function verifyEd25519(publicKey: Bytes, message: Bytes, signature: Bytes): Promise<boolean> {
  const key = await importKey(publicKey);
  if (key !== null) return subtle().verify("Ed25519", key, signature, message);
  const { verifyWithLibrary } = await import("./ed25519-library");
  return verifyWithLibrary(publicKey, message, signature);
}
