//! Accounts: registration, login, sessions, passwords.

pub(crate) mod ledger_export;
pub(crate) mod login;
pub(crate) mod login_attempts;
pub(crate) mod name_visibility;
pub(crate) mod password_hashing;
pub(crate) mod password_rules;
pub(crate) mod player;
pub(crate) mod register;
pub(crate) mod session_key;
pub(crate) mod sessions;
pub(crate) mod statements;

pub use ledger_export::{LedgerExport, read_ledger};
pub use login::{SignIn, sign_in};
pub use login_attempts::{
    Admission, Client, admit_registration, admit_sign_in, note_failed_sign_in, note_sign_in,
    purge_attempts,
};
pub use name_visibility::set_shows_name;
pub use player::{PlayerView, player};
pub use register::{Registration, register};
pub use session_key::SessionKeyHash;
pub use sessions::{
    ABSOLUTE_LIMIT, Session, confirm_session, end_session, find_session, open_session,
    purge_sessions, touch_session,
};
pub use statements::read_statements;
