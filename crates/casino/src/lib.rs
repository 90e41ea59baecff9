//! The use cases of the house, one file a verb, one transaction each.
//!
//! Here a typed command meets the rules of `domain` and `games` inside a transaction of
//! `persistence`. This crate must not know HTTP, cookies or JSON on the wire; and it holds no rule
//! of a game and no statement of SQL itself.

mod administrator;
mod administrators;
mod analyse_round;
mod ban_user;
mod cashier;
mod check_acts;
mod check_audit_chain;
mod check_books;
mod check_deposits;
mod check_invariants;
mod check_money_acts;
mod check_payment;
mod check_report;
mod clock;
mod coins;
mod conclude_deposit;
mod confirm_payment;
mod crash_round;
mod create_deposit;
mod decide_withdrawal;
mod end_rounds;
mod end_streams;
mod entropy;
mod error;
mod heads_up_hand;
mod hear_callback;
mod hear_rounds;
mod house;
mod idempotency;
mod judge_payment;
mod keep_orphan;
mod leave_round;
mod limit_attempts;
mod list_all_rounds;
mod list_for_administrators;
mod live_round;
mod measured_return;
mod open_round;
mod override_balance;
mod password_rules;
mod passwords;
mod place_dice_bet;
mod play_heads_up;
mod play_poker;
mod player;
mod poker_hand;
mod read_deposits;
mod read_history;
mod read_house_report;
mod read_summary;
mod record_export;
mod register;
mod request_withdrawal;
mod resolve_review;
mod rotate_seeds;
mod round_events;
mod round_results;
mod schedule;
mod session;
mod settle_payment;
mod sign_in;
mod start_round;
mod stonks_round;
mod watch_database;

pub use administrator::Acting;
pub use administrators::{FirstAdministrator, create_administrator, first_administrator, set_role};
pub use analyse_round::{Analysis, analyse_round};
pub use ban_user::{Welcome, set_welcome};
pub use cashier::{CALLBACK_PATH, Cashier, CashierOptions, RateTerms, TransferLimits};
pub use check_books::check_books;
pub use check_deposits::{Reconciled, reconcile, reconcile_due};
pub use check_payment::{PaymentCheck, check_payment, look_at_payment};
pub use check_report::{CheckOptions, CheckReport, Finding};
pub use clock::{Bounds, CLOCK_TOLERANCE, Clock, SystemClock};
pub use coins::{CoinTerms, coin_terms, refresh_coins};
pub use confirm_payment::{Confirmation, Confirmed, IdKind, confirm_payment};
pub use crash_round::CrashRoundView;
pub use create_deposit::{DepositWish, create_deposit};
pub use decide_withdrawal::{Decision, decide_withdrawal};
pub use end_rounds::{end_rounds, open_rounds};
pub use end_streams::end_streams;
pub use entropy::random_password;
pub use error::{CasinoError, Fault, LateLeaving, Refusal, whole_seconds};
pub use heads_up_hand::{HeadsUpView, ShownDown};
pub use hear_callback::{Heard, hear_callback};
pub use house::House;
pub use idempotency::{IdempotencyKey, IdempotencyKeyRefused};
pub use leave_round::{Leaving, cash_out, sell};
pub use limit_attempts::{
    Admission, Client, admit_registration, admit_sign_in, note_failed_sign_in, note_sign_in,
    purge_attempts,
};
pub use list_all_rounds::list_all_rounds;
pub use list_for_administrators::{
    Page, list_active_payments, list_audit_log, list_deposits, list_reviews, list_users,
    list_withdrawals, read_user,
};
pub use measured_return::{MeasuredReturn, Sides};
pub use override_balance::override_balance;
pub use place_dice_bet::{DiceBetPlaced, DiceDetails, place_dice_bet};
pub use play_heads_up::{HeadsUpPlay, deal_heads_up, play_heads_up};
pub use play_poker::{deal_poker_hand, draw_cards, hold_cards};
pub use player::{PlayerView, player};
pub use poker_hand::PokerHandView;
pub use read_deposits::{
    DepositPage, DepositView, Wagering, WageringLine, await_deposit, read_deposits, read_wagering,
};
pub use read_history::{
    HistoryPage, HistoryRequest, VerifiableGame, VerifiableRound, read_history, read_round,
    read_statistics, read_stonks_round,
};
pub use read_house_report::{
    HouseDay, HouseGame, HouseReport, Turnover, publish_returns, read_house_report,
};
pub use read_summary::{GameShare, HouseSummary, read_summary};
pub use record_export::record_export;
pub use register::{Registration, register};
pub use request_withdrawal::{
    WithdrawalPage, WithdrawalRequested, WithdrawalWish, read_withdrawals, request_withdrawal,
};
pub use resolve_review::resolve_review;
pub use rotate_seeds::{FairnessState, RevealedSeeds, Rotation, fairness_state, rotate_seeds};
pub use round_events::{
    OpenRound, RoundEvent, forget_closed_streams, listen_in_session, listen_to_rounds,
};
pub use round_results::RoundResults;
pub use session::{
    ABSOLUTE_LIMIT, Session, SessionKeyHash, confirm_session, end_session, find_session,
    open_session, purge_sessions, touch_session,
};
pub use sign_in::{SignIn, sign_in};
pub use start_round::{start_crash_round, start_stonks_round};
pub use stonks_round::StonksRoundView;
pub use watch_database::watch_database;

// What the layers above need of the ones below.
pub use glasshouse_persistence::{
    ActivePayment, ActivePaymentQuery, AllRoundsQuery, AuditEntry, AuditKeys, AuditKeysError,
    AuditQuery, BackupError, Database, DatabaseError, DatabaseOptions, DatabaseUrl, Deposit,
    DepositEntry, DepositQuery, GameStatistics, HistoryCursor, HouseCounts, Named, OpenError,
    PaymentRecord, PlayedRound, ReviewEntry, ReviewQuery, Round, SnapshotError, Standing, User,
    UserEntry, UserOrder, UserQuery, Withdrawal, WithdrawalEntry, WithdrawalQuery, back_up,
};
