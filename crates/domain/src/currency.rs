//! The supported cryptocurrencies: a fixed list.

/// A supported cryptocurrency on one network.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Currency {
    /// Tether on Solana.
    UsdtSol,
    /// Tether on Ethereum.
    UsdtErc20,
    /// Ether.
    Eth,
    /// Bitcoin.
    Btc,
    /// Monero.
    Xmr,
    /// Litecoin.
    Ltc,
    /// Bitcoin Cash.
    Bch,
    /// Solana.
    Sol,
    /// BNB on BNB Smart Chain.
    Bnb,
    /// Shiba Inu on Ethereum.
    Shib,
    /// Dogecoin.
    Doge,
}

impl Currency {
    /// Every currency, in listing order.
    pub const ALL: [Self; 11] = [
        Self::UsdtSol,
        Self::UsdtErc20,
        Self::Eth,
        Self::Btc,
        Self::Xmr,
        Self::Ltc,
        Self::Bch,
        Self::Sol,
        Self::Bnb,
        Self::Shib,
        Self::Doge,
    ];

    /// The code used by the API.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::UsdtSol => "usdtsol",
            Self::UsdtErc20 => "usdterc20",
            Self::Eth => "eth",
            Self::Btc => "btc",
            Self::Xmr => "xmr",
            Self::Ltc => "ltc",
            Self::Bch => "bch",
            Self::Sol => "sol",
            Self::Bnb => "bnb",
            Self::Shib => "shib",
            Self::Doge => "doge",
        }
    }

    /// The display name.
    #[must_use]
    pub const fn label(self) -> &'static str {
        match self {
            Self::UsdtSol => "USDT on Solana",
            Self::UsdtErc20 => "USDT on Ethereum",
            Self::Eth => "ETH",
            Self::Btc => "BTC",
            Self::Xmr => "XMR",
            Self::Ltc => "LTC",
            Self::Bch => "BCH",
            Self::Sol => "SOL",
            Self::Bnb => "BNB",
            Self::Shib => "SHIB",
            Self::Doge => "DOGE",
        }
    }

    /// Parses a code.
    #[must_use]
    pub fn parse(code: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|currency| currency.code() == code)
    }
}
