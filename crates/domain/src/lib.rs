//! The domain types and rules that do not depend on any game: money, the wallet and its wagering
//! requirement, the ledger, users.
//!
//! Pure: no I/O, clock, randomness, database or wire format. A refused operation leaves its subject
//! unchanged.

mod alert;
mod approval;
mod audit;
mod calendar;
mod client_seed_by;
mod codes;
mod currency;
mod deposit;
mod email_address;
mod exclusion;
mod game;
mod game_limits;
mod house_switch;
mod ids;
mod ledger;
mod limit_period;
mod money;
mod multiplier;
mod notice_topic;
mod passkey;
mod payout;
mod play_rules;
mod player_limit;
mod pseudonym;
mod restriction;
mod review;
mod role;
mod round;
mod rules_version;
mod second_factor;
mod security_event;
mod spread;
mod stored_names;
mod terms_text;
mod timeline_kind;
mod timestamp;
mod user;
mod wallet;
mod withdrawal;
mod withdrawal_address;
mod withdrawal_delay;
mod withdrawal_risk;

pub use alert::{AlertChannel, AlertKind, AlertMessage, LARGE_WIN_FLOOR};
pub use approval::{
    ApprovalThresholds, MoneyAct, MoneyActKind, MovedToday, OWN_CREDIT_DAYS, PROPOSAL_LIFETIME,
    PaymentReference, ProposalKind, ProposalState, ProposedAct, SecondPersonCause, ThresholdsError,
};
pub use audit::{AuditAction, AuditSubject, is_recorded_refusal};
pub use client_seed_by::ClientSeedBy;
pub use currency::Currency;
pub use deposit::{DepositStatus, WageredDeposit, wagered_deposits};
pub use email_address::{EmailAddress, EmailAddressError};
pub use exclusion::{Exclusion, ExclusionDuration, ExclusionKind, PERMANENT};
pub use game::{Game, GameStatus};
pub use game_limits::GameLimits;
pub use house_switch::{HouseSwitch, HouseSwitches, SwitchState, switch_state_name};
pub use ids::{
    AlertId, AuditId, DepositId, IdError, PasskeyId, ProposalId, ReceiptId, ReviewId, RoundId,
    SecurityEventId, SeedPairId, UserId, WithdrawalAddressId, WithdrawalId,
};
pub use ledger::{EntryKind, LedgerPosting, LedgerReference};
pub use limit_period::LimitPeriod;
pub use money::{MAXIMUM_AMOUNT, Money, ParseMoneyError};
pub use multiplier::{Multiplier, ParseMultiplierError};
pub use notice_topic::NoticeTopic;
pub use passkey::{MAXIMUM_PASSKEYS, PasskeyName, PasskeyNameError, PasskeyPurpose};
pub use payout::{PayoutMethod, PayoutState};
pub use play_rules::{Allowance, Allowances, LimitReached, PlayRefusal, PlayRules, active_parts};
pub use player_limit::{
    CONFIRMATION_DAYS, LimitChange, LimitKind, PendingChange, PlayerLimit, RAISE_DELAY,
};
pub use pseudonym::Pseudonym;
pub use restriction::{Restriction, Restrictions};
pub use review::ReviewKind;
pub use role::{Permission, Role};
pub use round::{RoundResult, RoundState};
pub use rules_version::RulesVersion;
pub use second_factor::{RECOVERY_CODE_CHARACTERS, TypedSecondFactor};
pub use security_event::SecurityEventKind;
pub use spread::Spread;
pub use terms_text::{TermsText, TermsTextError};
pub use timeline_kind::TimelineKind;
pub use timestamp::Timestamp;
pub use user::{NewPassword, PasswordError, TypedPassword, UserStatus, Username, UsernameError};
pub use wallet::{Wallet, WalletCorrupt, WalletError};
pub use withdrawal::{MINIMUM_WITHDRAWAL, WithdrawalStatus, WithdrawalTerms, WithdrawalTermsError};
pub use withdrawal_address::{AddressLabel, AddressLabelError, MAXIMUM_WITHDRAWAL_ADDRESSES};
pub use withdrawal_delay::{DelayReason, DelayReasons, WithdrawalDelay, WithdrawalRisks};
pub use withdrawal_risk::{RiskFactor, RiskFacts, WithdrawalRisk};
