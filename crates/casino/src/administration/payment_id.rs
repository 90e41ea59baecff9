//! The provider's ids as administrators enter them.

/// What an id of the provider's is of: payments and invoices are numbered apart, so that one
/// number can be of both.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IdKind {
    /// Of a payment.
    Payment,
    /// Of an invoice.
    Invoice,
}
