//! Dual control: what one administrator may do alone, and what is proposed by one and approved by another.

pub(crate) mod authority;
pub(crate) mod change_role;
pub(crate) mod decide_proposal;
pub(crate) mod outcome;
pub(crate) mod overview;
pub(crate) mod propose;
pub(crate) mod thresholds;

pub use change_role::{RoleChange, change_role};
pub use decide_proposal::{approve_proposal, refuse_proposal, withdraw_proposal};
pub use outcome::Outcome;
pub use overview::{ApprovalOverview, approval_overview, find_proposal, proposals};
pub use thresholds::{propose_thresholds, set_thresholds};
