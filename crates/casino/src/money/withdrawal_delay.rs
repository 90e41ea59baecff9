//! Tells why and until when a withdrawal would be delayed, before it is requested.

use glasshouse_domain::{Currency, UserId, WithdrawalDelay};
use glasshouse_payments::address::normal_form;
use glasshouse_persistence::{DatabaseError, queries};

use crate::error::{CasinoError, Refusal};
use crate::house::House;

/// The delay of a withdrawal if it was requested now; `None` if it would not be delayed. Without an
/// address, and while what was typed is not one yet, it is that of a withdrawal to a new address.
///
/// # Errors
/// [`Refusal::WithdrawalCurrency`], or a fault.
pub async fn read_withdrawal_delay(
    house: &House,
    player: UserId,
    currency: &str,
    address: Option<&str>,
) -> Result<Option<WithdrawalDelay>, CasinoError> {
    let currency = Currency::parse(currency).ok_or(Refusal::WithdrawalCurrency)?;
    // No address has an empty normal form.
    let normal = normal_form(currency, address.unwrap_or_default().trim());
    let risks = house
        .database
        .read::<_, DatabaseError, _>(move |connection| {
            queries::withdrawal_risks(connection, player, currency, &normal)
        })
        .await?;
    Ok(risks.delay(house.withdrawal_delay, house.now()))
}
