//! Actions of administrators, each recorded in the audit log, and what they are shown.

pub(crate) mod acknowledge_alert;
pub(crate) mod actor;
pub(crate) mod adjust_balance;
pub(crate) mod administrators;
pub(crate) mod approval;
pub(crate) mod ban;
pub(crate) mod check_payment;
pub(crate) mod confirm_payment;
pub(crate) mod decide_withdrawal;
pub(crate) mod end_sessions;
pub(crate) mod game_limits;
pub(crate) mod game_setting;
pub(crate) mod game_status;
pub(crate) mod house_switch;
pub(crate) mod lists;
pub(crate) mod money_details;
pub(crate) mod one_time_passwords;
pub(crate) mod operator;
pub(crate) mod payment_id;
pub(crate) mod player_notes;
pub(crate) mod publish_terms;
pub(crate) mod record_access;
pub(crate) mod record_export;
pub(crate) mod record_payout;
pub(crate) mod recorded_accesses;
pub(crate) mod resolve_review;
pub(crate) mod restrict;
pub(crate) mod second_factors;
pub(crate) mod timeline;

pub use acknowledge_alert::acknowledge_alert;
pub use actor::AdminContext;
pub use adjust_balance::{Adjustment, adjust_balance};
pub use administrators::{
    FIRST_ADMINISTRATOR, InitialPassword, create_administrator, lacks_owner, set_role,
};
pub use approval::{
    ApprovalOverview, Outcome, RoleChange, approval_overview, approve_proposal, change_role,
    find_proposal, proposals, propose_thresholds, refuse_proposal, set_thresholds,
    withdraw_proposal,
};
pub use ban::{BanState, set_ban_state};
pub use check_payment::{PaymentCheck, check_payment, inspect_payment};
pub use confirm_payment::{Confirmation, Confirmed, confirm_payment, confirmation_reason};
pub use decide_withdrawal::{Decision, decide_withdrawal};
pub use end_sessions::end_sessions_of_user;
pub use game_limits::set_game_limits;
pub use game_status::set_game_status;
pub use house_switch::{SwitchChange, set_switch, set_switch_as_operator, switches};
pub use lists::{list, order_id_of, read_pending_work, read_user};
pub use money_details::{KnownPayment, KnownWithdrawal, read_payment, read_withdrawal};
pub use one_time_passwords::{awaits_first_use, reset_password};
pub use payment_id::IdKind;
pub use player_notes::add_player_note;
pub use publish_terms::{publish_first_terms, publish_terms};
pub use record_access::record_access;
pub use record_export::record_export;
pub use record_payout::{PayoutRecord, SentByHand, record_payout};
pub use resolve_review::resolve_review;
pub use restrict::{RestrictionChange, restrict};
pub use second_factors::reset_second_factor;
pub use timeline::{PlayerOverview, TimelineQuery, kinds_shown_to, read_player, read_timeline};
