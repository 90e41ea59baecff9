//! Dual control: approval thresholds, proposals, and the acts that move money.

pub(crate) mod money_acts;
pub(crate) mod proposal_list;
pub(crate) mod proposals;
pub(crate) mod second_persons;
pub(crate) mod thresholds;
pub(crate) mod to_check;

pub use money_acts::NewMoneyAct;
pub use proposal_list::{ProposalEntry, ProposalQuery};
pub use proposals::{NewProposal, Proposal, ProposalDecision};
pub use thresholds::ThresholdsVersion;
pub use to_check::{ApprovalRows, MoneyActRow};
