// The available cryptocurrencies, in display order.

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

/** The selected code; undefined if it is unknown. */
export const currencyCode = (text: string): CurrencyCode | undefined =>
  CURRENCIES.find(({ value }) => value === text)?.value;

/** The display name of a currency. */
export const currencyLabel = (code: string): string =>
  CURRENCIES.find(({ value }) => value === code)?.label ?? code.toUpperCase();
