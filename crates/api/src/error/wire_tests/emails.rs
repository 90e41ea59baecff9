//! The refusals of e-mail addresses and links.

use glasshouse_casino::EmailRefusal;
use glasshouse_domain::EmailAddressError;

use super::Refusal;

pub(super) fn refusals() -> Vec<(&'static str, Refusal)> {
    vec![
        ("email", EmailRefusal::Address(EmailAddressError).into()),
        ("noEmail", EmailRefusal::NoAddress.into()),
        ("linkUnusable", EmailRefusal::LinkUnusable.into()),
        ("emailRefused", EmailRefusal::AddressRefused.into()),
    ]
}
