//! Hashes and verifies passwords with bounded concurrency, so that a flood of logins cannot slow
//! down bets.
//!
//! Uses argon2id with 19 MiB, two passes and one lane (OWASP's first choice). Each hash keeps a
//! core busy for tens of milliseconds, so at most [`MAXIMUM_CONCURRENT_HASHES`] run at once and a
//! bounded number waits.

use argon2::{
    Algorithm, Argon2, Params, PasswordHash, PasswordHasher as _, PasswordVerifier, Version,
};
use glasshouse_domain::{NewPassword, TypedPassword};

use crate::accounts::work_queue::WorkQueue;
use crate::error::{AccountRefusal, CasinoError, Fault};

const MEMORY_KIB: u32 = 19_456;
const PASSES: u32 = 2;
const LANES: u32 = 1;
/// The number of concurrent hashes. Each takes 19 MiB of memory.
const MAXIMUM_CONCURRENT_HASHES: usize = 2;
/// The maximum number of hashes that run or wait. At 25 ms each, the last one waits about two
/// seconds.
const MAXIMUM_QUEUED_HASHES: usize = 160;

/// A password is compared with this for unknown users, so that the response takes as long as for existing ones. Random
/// bytes, which are no password's hash.
const NOBODYS_HASH: &str = "$argon2id$v=19$m=19456,t=2,p=1$pKhtMV253n3PutIdbpua6Q$\
     aL8bSar2tjueKj488SH/TRTI3cf5LyQsdDmG/nh92Yc";

/// The work that a hash takes.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Cost {
    /// What protects passwords.
    Full,
    /// Next to none, for tests only: the passwords are not protected.
    Test,
}

pub(crate) struct PasswordHasher {
    queue: WorkQueue,
    cost: Cost,
}

impl PasswordHasher {
    pub(crate) fn new(cost: Cost) -> Self {
        Self {
            queue: WorkQueue::new(MAXIMUM_CONCURRENT_HASHES, MAXIMUM_QUEUED_HASHES),
            cost,
        }
    }

    /// Hashes a new password into a PHC string, if it passes the check, which may keep a core busy
    /// as well.
    pub(crate) async fn hash(
        &self,
        password: NewPassword,
        check: impl FnOnce(&NewPassword) -> Result<(), AccountRefusal> + Send + 'static,
    ) -> Result<String, CasinoError> {
        let cost = self.cost;
        self.queue
            .run(move || {
                check(&password)?;
                hash(password.expose().as_bytes(), cost)
            })
            .await
    }

    /// Hashes the normal form of an existing user's password.
    pub(crate) async fn hash_normal_form(
        &self,
        password: TypedPassword,
    ) -> Result<String, CasinoError> {
        let cost = self.cost;
        self.queue
            .run(move || hash(NewPassword::normal_form(password.expose()).as_bytes(), cost))
            .await
    }

    /// Checks a password against a stored hash. Takes the same time if there is no user.
    pub(crate) async fn verify(
        &self,
        password: TypedPassword,
        stored: Option<String>,
    ) -> Result<Verified, CasinoError> {
        let is_user = stored.is_some();
        let stored = stored.unwrap_or_else(|| NOBODYS_HASH.to_owned());
        let verified = self
            .queue
            .run(move || verify_forms(password.expose(), &stored))
            .await?;
        Ok(if is_user { verified } else { Verified::Wrong })
    }
}

/// The result of a password check.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verified {
    /// The password does not match.
    Wrong,
    /// The password matches.
    Right,
    /// The password matches a legacy hash, which was made from the password exactly as it was
    /// typed.
    RightAsTyped,
}

fn verify_forms(password: &str, stored: &str) -> Result<Verified, CasinoError> {
    let normal = NewPassword::normal_form(password);
    if verify(normal.as_bytes(), stored)? {
        return Ok(Verified::Right);
    }
    if normal != password && verify(password.as_bytes(), stored)? {
        return Ok(Verified::RightAsTyped);
    }
    Ok(Verified::Wrong)
}

fn argon2(cost: Cost) -> Result<Argon2<'static>, CasinoError> {
    let (memory, passes) = match cost {
        Cost::Full => (MEMORY_KIB, PASSES),
        Cost::Test => (Params::MIN_M_COST, Params::MIN_T_COST),
    };
    let parameters = Params::new(memory, passes, LANES, None).map_err(hashing)?;
    Ok(Argon2::new(Algorithm::Argon2id, Version::V0x13, parameters))
}

fn hash(password: &[u8], cost: Cost) -> Result<String, CasinoError> {
    Ok(argon2(cost)?
        .hash_password(password)
        .map_err(hashing)?
        .to_string())
}

fn verify(password: &[u8], stored: &str) -> Result<bool, CasinoError> {
    let stored = PasswordHash::new(stored).map_err(hashing)?;
    // With the parameters of the stored hash, whatever they are.
    Ok(argon2(Cost::Full)?
        .verify_password(password, &stored)
        .is_ok())
}

fn hashing(error: impl std::fmt::Display) -> CasinoError {
    CasinoError::Fault(Fault::Hashing(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn password_of_user_is_verified_and_an_unknown_user_has_none() {
        let passwords = PasswordHasher::new(Cost::Full);
        let password = NewPassword::parse("tr4vel-lamp".into()).unwrap();
        let stored = passwords.hash(password, |_| Ok(())).await.unwrap();
        let parameters = "$argon2id$v=19$m=19456,t=2,p=1$";
        assert!(stored.starts_with(parameters));
        assert!(NOBODYS_HASH.starts_with(parameters));
        assert_eq!(NOBODYS_HASH.len(), stored.len());
        for (password, stored, expected) in [
            ("tr4vel-lamp", Some(stored.clone()), Verified::Right),
            ("tr4vel-lamb", Some(stored), Verified::Wrong),
            ("tr4vel-lamp", None, Verified::Wrong),
        ] {
            let verified = passwords
                .verify(TypedPassword::new(password.to_owned()), stored)
                .await
                .unwrap();
            assert_eq!(verified, expected, "{password}");
        }
    }

    /// Otherwise it would be refused at once, and the time would tell that there is no such user.
    #[test]
    fn nobodys_hash_is_well_formed() {
        assert!(matches!(verify(b"tr4vel-lamp", NOBODYS_HASH), Ok(false)));
    }

    #[tokio::test]
    async fn unprotected_passwords_are_verified_like_others() {
        let password = NewPassword::parse("tr4vel-lamp".into()).unwrap();
        let stored = PasswordHasher::new(Cost::Test)
            .hash(password, |_| Ok(()))
            .await
            .unwrap();
        assert!(
            stored.starts_with("$argon2id$v=19$m=8,t=1,p=1$"),
            "{stored}"
        );
        let typed = TypedPassword::new("tr4vel-lamp".to_owned());
        let verified = PasswordHasher::new(Cost::Full)
            .verify(typed, Some(stored))
            .await
            .unwrap();
        assert_eq!(verified, Verified::Right);
    }
}
