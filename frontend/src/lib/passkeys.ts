// Where passkeys can be used, and what a new one is called at first.

/** Browsers refuse passkeys at numeric addresses: a passkey belongs to a name. */
const NUMERIC = /^[\d.]+$|^\[/;

type Surroundings = Pick<Window, "isSecureContext"> & {
  location: Pick<Location, "hostname">;
  PublicKeyCredential?: unknown;
};

/** Whether this browser can use passkeys on this page. */
export const canUsePasskeys = ({ isSecureContext, location, PublicKeyCredential }: Surroundings = window): boolean =>
  isSecureContext && PublicKeyCredential !== undefined && !NUMERIC.test(location.hostname);

/** As many characters as a passkey's name may have. */
export const MAXIMUM_NAME_LENGTH = 64;

type Mark = readonly [pattern: RegExp, name: string];

/** The first that is found counts: most browsers name others, too. */
const BROWSERS: readonly Mark[] = [
  [/\bEdg(?:e|A|iOS)?\//, "Edge"],
  [/\b(?:OPR|Opera)\//, "Opera"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\b(?:Firefox|FxiOS)\//, "Firefox"],
  [/(?:Chrome|Chromium|CriOS)\//, "Chrome"],
  [/\bSafari\//, "Safari"],
];
const SYSTEMS: readonly Mark[] = [
  [/\biPhone\b/, "iPhone"],
  [/\biPad\b/, "iPad"],
  [/\bAndroid\b/, "Android"],
  [/\bWindows\b/, "Windows"],
  [/\bMac OS X\b/, "macOS"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bLinux\b/, "Linux"],
];
const found = (marks: readonly Mark[], agent: string): string | undefined =>
  marks.find(([pattern]) => pattern.test(agent))?.[1];

/** A name by which its owner recognises a passkey, such as "Chrome on Linux". */
export function suggestedName(agent: string = navigator.userAgent): string {
  const [browser, system] = [found(BROWSERS, agent), found(SYSTEMS, agent)];
  if (browser === undefined) return system ?? "Passkey";
  return system === undefined ? browser : `${browser} on ${system}`;
}
