/** The networks of the coins that exist on more than one of them. */
export const NETWORKS: Readonly<Record<string, string>> = { usdtsol: "Solana", usdterc20: "Ethereum" };
