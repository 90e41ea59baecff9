//! The provider's IDs of invoices, payments and payouts. They are integers today, but some answers have them
//! as strings, so we treat them as short texts.

use std::fmt;

/// Far longer than any of the provider's IDs.
const MAXIMUM_LENGTH: usize = 64;

/// Accepts only characters that need no escaping in a URL path or a log.
fn is_identifier(text: &str) -> bool {
    let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
    !text.is_empty() && text.len() <= MAXIMUM_LENGTH && text.bytes().all(is_allowed)
}

macro_rules! identifier {
    ($(#[$documentation:meta])* $name:ident) => {
        $(#[$documentation])*
        #[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(String);

        impl $name {
            /// Parses an ID: 1 to 64 letters, digits, `-` and `_`.
            #[must_use]
            pub fn parse(text: &str) -> Option<Self> {
                is_identifier(text).then(|| Self(text.to_owned()))
            }

            /// The ID as text.
            #[must_use]
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str(&self.0)
            }
        }
    };
}

identifier!(
    /// The provider's ID of an invoice.
    InvoiceId
);
identifier!(
    /// The provider's ID of a payment.
    PaymentId
);
identifier!(
    /// The provider's ID of a payout.
    PayoutId
);
identifier!(
    /// The provider's ID of a batch of payouts, which are verified together.
    BatchId
);
