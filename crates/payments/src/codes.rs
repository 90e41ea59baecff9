//! Our currencies' codes and the provider's: the one place where they differ.

use glasshouse_domain::Currency;

/// What the provider calls BNB on its smart chain.
const BNB: &str = "bnbbsc";

/// The provider's code of a currency.
#[must_use]
pub const fn provider_code(currency: Currency) -> &'static str {
    match currency {
        Currency::Bnb => BNB,
        other => other.code(),
    }
}

/// The currency of a provider's code, in either case; none if we do not take it.
#[must_use]
pub fn currency_of(code: &str) -> Option<Currency> {
    Currency::ALL
        .into_iter()
        .find(|currency| provider_code(*currency).eq_ignore_ascii_case(code))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_currency_is_read_back() {
        for currency in Currency::ALL {
            assert_eq!(currency_of(provider_code(currency)), Some(currency));
        }
        assert_eq!(provider_code(Currency::Bnb), "bnbbsc");
        assert_eq!(currency_of("BTC"), Some(Currency::Btc));
        // The other chain of that coin: its money would not reach us.
        assert_eq!(currency_of("bnbmainnet"), None);
        assert_eq!(currency_of("bnb"), None);
    }
}
