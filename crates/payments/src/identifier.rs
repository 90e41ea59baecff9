//! The provider's names for invoices and payments: whole numbers today, written as numbers here and
//! as texts there, so to us they are short texts.

use std::fmt;

/// Far more than any id has.
const MAXIMUM_LENGTH: usize = 64;

/// Only what can stand in a path or a log as it is.
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
            /// The id of that text; none if it is empty, long, or more than letters, digits, - and _.
            #[must_use]
            pub fn parse(text: &str) -> Option<Self> {
                is_identifier(text).then(|| Self(text.to_owned()))
            }

            /// The id as text.
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
    /// The id of an invoice at the provider.
    InvoiceId
);
identifier!(
    /// The id of a payment at the provider.
    PaymentId
);
