//! Lists for administrators: one statement per list, with filters, search and paging in the
//! database.

pub(crate) mod alerts;
pub(crate) mod audit_log;
pub(crate) mod deposits;
pub(crate) mod filters;
pub(crate) mod listing;
pub(crate) mod payment_details;
pub(crate) mod payments;
pub(crate) mod pending_work;
#[cfg(test)]
mod plans;
pub(crate) mod player_figures;
pub(crate) mod reviews;
pub(crate) mod rounds;
pub(crate) mod search;
pub(crate) mod timeline;
pub(crate) mod users;
pub(crate) mod withdrawal_details;
pub(crate) mod withdrawals;

pub use alerts::{AlertEntry, AlertQuery, DeliveryEntry};
pub use audit_log::{AuditEntry, AuditQuery};
pub use deposits::{DepositEntry, DepositQuery};
pub use filters::{AmountRange, Period};
pub use listing::{AdminList, PageBounds, UserRef};
pub use payment_details::{HandCredit, PaymentCredit, PaymentDetails};
pub use payments::{ActivePayment, ActivePaymentQuery};
pub use pending_work::PendingWork;
pub use player_figures::PlayerFigures;
pub use reviews::{ReviewEntry, ReviewQuery};
pub use rounds::{AllRoundsQuery, PlayedRound};
pub use timeline::{TimelineEvent, TimelinePlace, TimelineRange};
pub use users::{UserEntry, UserOrder, UserQuery};
pub use withdrawal_details::{AddressRequests, WithdrawalDetails};
pub use withdrawals::{WithdrawalEntry, WithdrawalOrder, WithdrawalPlace, WithdrawalQuery};
