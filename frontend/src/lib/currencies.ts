// The cryptocurrencies that can be chosen, in the order in which they are offered.

export const CURRENCIES: readonly { value: string; label: string }[] = [
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
];

/** What people call a currency. */
export const currencyLabel = (code: string): string => CURRENCIES.find(({ value }) => value === code)?.label ?? code.toUpperCase();
