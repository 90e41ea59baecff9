//! Dual control: which acts of administrators need a second person, and what is proposed to that person.

mod money_act;
mod proposal;
mod proposed_act;
mod thresholds;

pub use money_act::{MoneyAct, MoneyActKind, MovedToday, OWN_CREDIT_DAYS, SecondPersonCause};
pub use proposal::{PROPOSAL_LIFETIME, ProposalKind, ProposalState};
pub use proposed_act::{PaymentReference, ProposedAct};
pub use thresholds::{ApprovalThresholds, ThresholdsError};
