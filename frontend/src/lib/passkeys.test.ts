import { expect, it } from "vitest";
import { canUsePasskeys, suggestedName } from "./passkeys";

const at = (hostname: string, isSecureContext = true, PublicKeyCredential: unknown = {}) =>
  canUsePasskeys({ isSecureContext, location: { hostname }, PublicKeyCredential });

it("passkeys need a browser that has them, a secure page, and a name in its address", () => {
  expect(at("glasshouse.example")).toBe(true);
  expect(at("localhost")).toBe(true);
  expect(at("3.example")).toBe(true);
  expect(at("127.0.0.1")).toBe(false);
  expect(at("[::1]")).toBe(false);
  expect(at("glasshouse.example", false)).toBe(false);
  expect(canUsePasskeys({ isSecureContext: true, location: { hostname: "localhost" } })).toBe(false);
});

it.each([
  ["Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", "Firefox on Linux"],
  [
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0",
    "Edge on Windows",
  ],
  [
    "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36",
    "Chrome on Android",
  ],
  [
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Mobile/15E148 Safari/604.1",
    "Safari on iPhone",
  ],
  [
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15",
    "Safari on macOS",
  ],
  ["Lynx/2.9 (Linux)", "Linux"],
  ["", "Passkey"],
])("a new passkey is named after the browser and the system (%#)", (agent, name) => {
  expect(suggestedName(agent)).toBe(name);
});
