/** The networks of the coins that exist on several. */
export const NETWORKS: Readonly<Record<string, string>> = { usdtsol: "Solana", usdterc20: "Ethereum" };
