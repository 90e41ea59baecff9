//! A player's address book. A new address delays withdrawals to it, so that the owner of an account can
//! notice in time that somebody else added one.

use glasshouse_domain::{
    AddressLabel, Currency, MAXIMUM_WITHDRAWAL_ADDRESSES, UserId, WithdrawalAddressId,
};
use glasshouse_payments::address::{is_address, normal_form};
use glasshouse_persistence::money::{NewWithdrawalAddress, WithdrawalAddress};
use glasshouse_persistence::{DatabaseError, Scope, Transaction, queries};

use crate::error::{CasinoError, Refusal};
use crate::house::House;

/// An address to be added, checked for its currency.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewAddress {
    currency: Currency,
    address: String,
    label: Option<AddressLabel>,
}

impl NewAddress {
    /// Validates an address and its label as the player entered them.
    ///
    /// # Errors
    /// The refusal of the currency, of the address or of the label, in this order.
    pub fn parse(currency: &str, address: &str, label: &str) -> Result<Self, Refusal> {
        let (currency, address) = parse_destination(currency, address)?;
        Ok(Self {
            currency,
            address,
            label: AddressLabel::parse(label)?,
        })
    }
}

/// Validates the currency and the address of a withdrawal.
///
/// # Errors
/// The first refusal in this order.
pub(crate) fn parse_destination(
    currency: &str,
    address: &str,
) -> Result<(Currency, String), Refusal> {
    let currency = Currency::parse(currency).ok_or(Refusal::WithdrawalCurrency)?;
    let address = address.trim();
    if address.is_empty() {
        return Err(Refusal::AddressMissing);
    }
    if !is_address(currency, address) {
        return Err(Refusal::AddressInvalid(currency));
    }
    Ok((currency, address.to_owned()))
}

/// The addresses of a player.
///
/// # Errors
/// If the database fails.
pub async fn read_withdrawal_addresses(
    house: &House,
    player: UserId,
) -> Result<Vec<WithdrawalAddress>, CasinoError> {
    house
        .database
        .read(move |connection| queries::withdrawal_addresses_of(connection, player))
        .await
        .map_err(|error: DatabaseError| error.into())
}

/// Adds an address to a player's address book. The caller has checked the password.
///
/// # Errors
/// [`Refusal::AddressKnown`], [`Refusal::AddressBookFull`], or a fault.
pub async fn add_withdrawal_address(
    house: &House,
    player: UserId,
    address: NewAddress,
) -> Result<WithdrawalAddress, CasinoError> {
    let at = house.now();
    let new = NewWithdrawalAddress {
        player,
        currency: address.currency,
        normal_form: normal_form(address.currency, &address.address),
        address: address.address,
        label: address.label,
        at,
        usable_from: at.saturating_add(house.withdrawal_delay),
    };
    house
        .database
        .write::<_, CasinoError, _>(Scope::player(player), move |transaction| {
            let addresses = transaction.withdrawal_addresses(player)?;
            let is_known = |known: &WithdrawalAddress| {
                known.currency == new.currency
                    && normal_form(known.currency, &known.address) == new.normal_form
            };
            if addresses.iter().any(is_known) {
                return Err(Refusal::AddressKnown.into());
            }
            if addresses.len() >= MAXIMUM_WITHDRAWAL_ADDRESSES {
                return Err(Refusal::AddressBookFull.into());
            }
            Ok(transaction
                .add_withdrawal_address(&new)?
                .ok_or(Refusal::AddressKnown)?)
        })
        .await
}

/// Adds the address of a withdrawal to its player's address book, unless it is known or the book is
/// full: then every withdrawal to it is one to a new address.
pub(crate) fn remember_address(
    transaction: &mut Transaction<'_, '_>,
    new: &NewWithdrawalAddress,
) -> Result<(), CasinoError> {
    let addresses = transaction.withdrawal_addresses(new.player)?;
    if addresses.len() < MAXIMUM_WITHDRAWAL_ADDRESSES {
        transaction.add_withdrawal_address(new)?;
    }
    Ok(())
}

/// Renames an address; `None` removes its label.
///
/// # Errors
/// [`Refusal::NotFound`], or a fault.
pub async fn label_withdrawal_address(
    house: &House,
    player: UserId,
    id: WithdrawalAddressId,
    label: Option<AddressLabel>,
) -> Result<WithdrawalAddress, CasinoError> {
    house
        .database
        .write::<_, CasinoError, _>(Scope::player(player), move |transaction| {
            Ok(transaction
                .label_withdrawal_address(player, id, label.as_ref())?
                .ok_or(Refusal::NotFound)?)
        })
        .await
}

/// Removes an address. If it is used again, it is new.
///
/// # Errors
/// [`Refusal::NotFound`], or a fault.
pub async fn remove_withdrawal_address(
    house: &House,
    player: UserId,
    id: WithdrawalAddressId,
) -> Result<(), CasinoError> {
    house
        .database
        .write::<_, CasinoError, _>(Scope::player(player), move |transaction| {
            if transaction.remove_withdrawal_address(player, id)? {
                Ok(())
            } else {
                Err(Refusal::NotFound.into())
            }
        })
        .await
}
