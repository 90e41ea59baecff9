//! Passkeys: key pairs on the users' devices, which sign what the house asks them to once their owner
//! has unlocked the device. So one counts as both factors, and signs in without a password.
//!
//! A ceremony has two requests: the house tells the browser what is to be signed, and the browser
//! returns the signature. What it is checked against stays in the database and is used once, on
//! whichever server. Everything here locks the user's row before it judges.

pub(crate) mod add;
pub(crate) mod ceremony;
pub(crate) mod check;
pub(crate) mod relying_party;
pub(crate) mod remove;

pub use add::{PasskeyAddition, add_passkey, begin_passkey};
pub use ceremony::{PasskeyPrompt, purge_passkey_ceremonies};
pub use check::{
    PasskeyAnswer, begin_passkey_confirmation, begin_passkey_sign_in, sign_in_with_passkey,
};
pub use remove::remove_passkey;
pub use webauthn_rs::prelude::{PublicKeyCredential, RegisterPublicKeyCredential};
