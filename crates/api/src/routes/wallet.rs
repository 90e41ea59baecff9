//! Deposits, withdrawals and the payment provider.

use crate::endpoints::Endpoints;

pub(crate) mod cryptocurrencies;
pub(crate) mod deposits;
pub(crate) mod ipn;
pub(crate) mod statements;
pub(crate) mod withdrawal_addresses;
pub(crate) mod withdrawals;

/// Registers the endpoints of deposits and withdrawals.
pub(crate) fn register(endpoints: &mut Endpoints<'_>) {
    endpoints
        .service(cryptocurrencies::cryptocurrencies)
        .service(deposits::new_deposit)
        .service(deposits::deposit_status)
        .service(deposits::deposit_list)
        .service(deposits::wagering)
        .service(withdrawals::withdrawal_list)
        .service(withdrawals::new_withdrawal)
        .service(withdrawals::withdrawal_delay)
        .service(withdrawals::withdrawal_quote)
        .service(withdrawals::cancel)
        .service(withdrawal_addresses::address_book)
        .service(withdrawal_addresses::add_address)
        .service(withdrawal_addresses::rename_address)
        .service(withdrawal_addresses::remove_address)
        .service(ipn::payment_callback);
}
