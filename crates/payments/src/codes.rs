//! Maps our currency codes to the provider's, and back.

use glasshouse_domain::Currency;

/// The provider's code for BNB on BNB Smart Chain.
const BNB: &str = "bnbbsc";

/// The provider's code of a currency.
#[must_use]
pub const fn provider_code(currency: Currency) -> &'static str {
    match currency {
        Currency::Bnb => BNB,
        other => other.code(),
    }
}

/// The currency of a provider's code in either case, or `None` if we do not support it.
#[must_use]
pub fn currency_of(code: &str) -> Option<Currency> {
    Currency::ALL
        .into_iter()
        .find(|currency| provider_code(*currency).eq_ignore_ascii_case(code))
}

/// Coins worth one dollar, on any network.
const DOLLAR_COINS: [&str; 2] = ["usdt", "usdc"];

/// Whether the provider's code, in either case, is that of a coin worth one dollar.
#[must_use]
pub fn is_dollar_coin(code: &str) -> bool {
    let code = code.to_ascii_lowercase();
    DOLLAR_COINS.iter().any(|coin| code.starts_with(coin))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_provider_code_is_parsed_back() {
        for currency in Currency::ALL {
            assert_eq!(currency_of(provider_code(currency)), Some(currency));
        }
        assert_eq!(provider_code(Currency::Bnb), "bnbbsc");
        assert_eq!(currency_of("BTC"), Some(Currency::Btc));
        // BNB on the other chain is not supported: payments there would not reach us.
        assert_eq!(currency_of("bnbmainnet"), None);
        assert_eq!(currency_of("bnb"), None);
    }

    #[test]
    fn dollar_coins_are_known_on_every_network() {
        for (code, is_dollar) in [("usdttrc20", true), ("USDCMATIC", true), ("btc", false)] {
            assert_eq!(is_dollar_coin(code), is_dollar, "{code}");
        }
    }
}
