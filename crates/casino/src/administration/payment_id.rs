//! The provider's IDs, as administrators enter them.

/// What an ID of the provider belongs to. Payments and invoices are numbered separately, so one
/// number can belong to both.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IdKind {
    /// A payment.
    Payment,
    /// An invoice.
    Invoice,
}
