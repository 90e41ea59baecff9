//! Accounts: registration, login, sessions, passwords.

pub(crate) mod activity;
pub(crate) mod allowance;
pub(crate) mod audited_events;
pub(crate) mod breached_passwords;
pub(crate) mod change_password;
pub(crate) mod ledger_export;
pub(crate) mod login;
pub(crate) mod login_attempts;
pub(crate) mod name_visibility;
pub(crate) mod new_password;
pub(crate) mod own_sessions;
pub(crate) mod passkeys;
pub(crate) mod password_hashing;
pub(crate) mod password_rules;
pub(crate) mod password_strength;
pub(crate) mod player;
pub(crate) mod register;
pub(crate) mod second_factor;
pub(crate) mod security_events;
pub(crate) mod session_key;
pub(crate) mod sessions;
pub(crate) mod statements;
pub(crate) mod terms_of_service;
pub(crate) mod waiting_room;
pub(crate) mod work_queue;

pub use activity::record_activity;
pub use breached_passwords::breached_password_filter;
pub use change_password::{PasswordChange, change_password};
pub use ledger_export::{LedgerExport, read_ledger};
pub use login::{Authenticated, SignIn, SignInProof, sign_in};
pub use login_attempts::{
    Admission, Client, admit_registration, admit_sign_in, note_failed_sign_in, note_sign_in,
    purge_attempts,
};
pub use name_visibility::set_shows_name;
pub use own_sessions::{end_other_session, end_other_sessions, read_sessions};
pub use passkeys::{
    PasskeyAddition, PasskeyAnswer, PasskeyPrompt, PublicKeyCredential,
    RegisterPublicKeyCredential, add_passkey, begin_passkey, begin_passkey_confirmation,
    begin_passkey_sign_in, purge_passkey_ceremonies, remove_passkey, sign_in_with_passkey,
};
pub use password_rules::PasswordAssessment;
pub use password_strength::{PasswordIdea, password_strength};
pub use player::{PlayerView, player};
pub use register::{Registration, register};
pub use second_factor::{
    Enrolment, SecondFactorAttempt, confirm_authenticator, enrol_authenticator, read_second_factor,
    remove_authenticator, replace_recovery_codes,
};
pub use security_events::{purge_security_events, read_security_events};
pub use session_key::SessionKeyHash;
pub use sessions::{
    ABSOLUTE_LIMIT, Session, check_session_password, confirm_session, confirm_with_passkey,
    confirm_with_second_factor, end_session, find_session, open_proved_session, open_session,
    purge_sessions, touch_session,
};
pub use statements::read_statements;
pub use terms_of_service::{accept_terms, read_acceptances, read_terms};
