// The cryptocurrencies that can be chosen, in the order in which they are offered.

export const CURRENCIES = [
  { value: "usdtsol", label: "USDT on Solana" },
  { value: "usdterc20", label: "USDT on Ethereum" },
  { value: "eth", label: "ETH" },
  { value: "btc", label: "BTC" },
  { value: "xmr", label: "XMR" },
  { value: "ltc", label: "LTC" },
  { value: "bch", label: "BCH" },
  { value: "sol", label: "SOL" },
  { value: "bnb", label: "BNB" },
  { value: "shib", label: "SHIB" },
  { value: "doge", label: "DOGE" },
] as const;

export type CurrencyCode = (typeof CURRENCIES)[number]["value"];

/** The code that somebody chose; undefined where it is none of ours. */
export const currencyCode = (text: string): CurrencyCode | undefined =>
  CURRENCIES.find(({ value }) => value === text)?.value;

/** What people call a currency. */
export const currencyLabel = (code: string): string =>
  CURRENCIES.find(({ value }) => value === code)?.label ?? code.toUpperCase();
