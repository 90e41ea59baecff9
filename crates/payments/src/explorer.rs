//! Where a transaction can be looked at.

use glasshouse_domain::Currency;

/// The transactions of the sandbox provider begin with this. They are in no network.
pub const SANDBOX_TRANSACTION: &str = "sandbox";

/// The page of a public block explorer for a transaction; `None` for one of the sandbox, and if the ID is not
/// letters and digits.
#[must_use]
pub fn transaction_url(currency: Currency, transaction_id: &str) -> Option<String> {
    let is_id = !transaction_id.is_empty()
        && transaction_id
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric());
    if !is_id || transaction_id.starts_with(SANDBOX_TRANSACTION) {
        return None;
    }
    let explorer = match currency {
        Currency::Btc => "https://mempool.space/tx/",
        Currency::Ltc => "https://litecoinspace.org/tx/",
        Currency::Doge => "https://blockchair.com/dogecoin/transaction/",
        Currency::Bch => "https://blockchair.com/bitcoin-cash/transaction/",
        Currency::Eth | Currency::Shib | Currency::UsdtErc20 => "https://etherscan.io/tx/",
        Currency::Bnb => "https://bscscan.com/tx/",
        Currency::Sol | Currency::UsdtSol => "https://solscan.io/tx/",
        Currency::Xmr => "https://xmrchain.net/tx/",
    };
    Some(format!("{explorer}{transaction_id}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_coin_has_an_explorer() {
        for currency in Currency::ALL {
            let url = transaction_url(currency, "abc123").unwrap();
            assert!(
                url.starts_with("https://") && url.ends_with("/abc123"),
                "{url}"
            );
            assert_eq!(transaction_url(currency, "sandboxabc123"), None);
            for wrong in ["", "a/b", "a?b"] {
                assert_eq!(transaction_url(currency, wrong), None, "{wrong}");
            }
        }
    }
}
