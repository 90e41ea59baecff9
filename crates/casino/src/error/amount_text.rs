//! Amounts as a player is told them.

use glasshouse_domain::Money;

/// Formats an amount with thousands separators, such as `$1,234.50`.
pub(super) fn dollars(amount: Money) -> String {
    let text = amount.to_string();
    let (whole, cents) = text.split_once('.').unwrap_or((&text, "00"));
    let mut grouped = String::new();
    for (index, digit) in whole.chars().enumerate() {
        if index > 0 && (whole.len() - index).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    format!("${grouped}.{cents}")
}
