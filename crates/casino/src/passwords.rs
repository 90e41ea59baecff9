//! Hashing and checking passwords, so that a flood of logins cannot stop the bets.
//!
//! argon2id with 19 MiB, two passes and one lane (OWASP's first choice). Each hash keeps a core
//! busy for tens of milliseconds, so at most [`PARALLEL`] run at once and a bounded number waits.

use std::sync::Arc;

use argon2::{Algorithm, Argon2, Params, PasswordHash, PasswordHasher, PasswordVerifier, Version};
use glasshouse_domain::NewPassword;
use tokio::sync::Semaphore;

use crate::entropy;
use crate::error::{CasinoError, Fault, Refusal};

const MEMORY_KIB: u32 = 19_456;
const PASSES: u32 = 2;
const LANES: u32 = 1;
/// Hashes at once: what they cost in memory is this many times 19 MiB.
const PARALLEL: usize = 2;
/// Hashes that run or wait. At 25 ms each the last one waits about two seconds.
const WAITING: usize = 160;
/// A password that takes fewer guesses is among the commonest.
const COMMON_GUESSES: u64 = 2_000;

pub(crate) struct Passwords {
    running: Arc<Semaphore>,
    waiting: Arc<Semaphore>,
    /// Checked where there is no user, so that the answer takes as long as where there is one.
    decoy: String,
}

impl Passwords {
    pub(crate) fn new() -> Result<Self, CasinoError> {
        Ok(Self {
            running: Arc::new(Semaphore::new(PARALLEL)),
            waiting: Arc::new(Semaphore::new(WAITING)),
            decoy: hash(entropy::random_password()?.as_bytes())?,
        })
    }

    /// Hashes a new password into a PHC string.
    pub(crate) async fn hash(&self, password: NewPassword) -> Result<String, CasinoError> {
        self.run(move || hash(password.expose().as_bytes())).await
    }

    /// Whether the password is the user's; takes the same time where there is no user.
    pub(crate) async fn verify(
        &self,
        password: String,
        stored: Option<String>,
    ) -> Result<bool, CasinoError> {
        let is_user = stored.is_some();
        let stored = stored.unwrap_or_else(|| self.decoy.clone());
        let is_right = self
            .run(move || verify(password.as_bytes(), &stored))
            .await?;
        Ok(is_user && is_right)
    }

    async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> Result<T, CasinoError> + Send + 'static,
    ) -> Result<T, CasinoError> {
        let place = Arc::clone(&self.waiting)
            .try_acquire_owned()
            .map_err(|_| Fault::Overloaded)?;
        let turn = Arc::clone(&self.running)
            .acquire_owned()
            .await
            .map_err(|_| Fault::Overloaded)?;
        let held = move || {
            // Held by the work itself: it goes on where the caller goes away.
            let _held = (place, turn);
            work()
        };
        tokio::task::spawn_blocking(held)
            .await
            .map_err(|error| CasinoError::Fault(Fault::Hashing(error.to_string())))?
    }
}

/// Refuses a password that everybody tries first, or that is the username itself.
pub(crate) fn refuse_common(password: &NewPassword, username: &str) -> Result<(), Refusal> {
    // The estimate looks at the first hundred characters only; so long a password is not common.
    if zxcvbn::zxcvbn(password.expose(), &[username]).guesses() < COMMON_GUESSES {
        return Err(Refusal::PasswordTooCommon);
    }
    Ok(())
}

fn argon2() -> Result<Argon2<'static>, CasinoError> {
    let parameters = Params::new(MEMORY_KIB, PASSES, LANES, None).map_err(hashing)?;
    Ok(Argon2::new(Algorithm::Argon2id, Version::V0x13, parameters))
}

fn hash(password: &[u8]) -> Result<String, CasinoError> {
    Ok(argon2()?
        .hash_password(password)
        .map_err(hashing)?
        .to_string())
}

fn verify(password: &[u8], stored: &str) -> Result<bool, CasinoError> {
    let stored = PasswordHash::new(stored).map_err(hashing)?;
    Ok(argon2()?.verify_password(password, &stored).is_ok())
}

fn hashing(error: impl std::fmt::Display) -> CasinoError {
    CasinoError::Fault(Fault::Hashing(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_commonest_passwords_are_refused() {
        let check = |password: &str, is_common: bool| {
            let parsed = NewPassword::parse(password.to_owned()).unwrap();
            assert_eq!(
                refuse_common(&parsed, "alice_99").is_err(),
                is_common,
                "{password}"
            );
        };
        for common in [
            "123456", "password", "qwerty", "111111", "letmein", "aaaaaa", "alice_99",
        ] {
            check(common, true);
        }
        for fine in ["correct horse battery", "tr4vel-lamp", "glasshouse-test-1"] {
            check(fine, false);
        }
    }

    #[tokio::test]
    async fn a_password_is_verified_and_nobody_has_the_decoy() {
        let passwords = Passwords::new().unwrap();
        let password = NewPassword::parse("tr4vel-lamp".into()).unwrap();
        let stored = passwords.hash(password).await.unwrap();
        assert!(stored.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"));
        let right = passwords
            .verify("tr4vel-lamp".into(), Some(stored.clone()))
            .await
            .unwrap();
        assert!(right);
        assert!(
            !passwords
                .verify("tr4vel-lamb".into(), Some(stored))
                .await
                .unwrap()
        );
        assert!(!passwords.verify("tr4vel-lamp".into(), None).await.unwrap());
    }
}
