//! The codes of authenticators (RFC 6238): six digits that change every 30 seconds.

use glasshouse_domain::Timestamp;
use totp_rs::{Builder, Secret, Totp};

use crate::error::{CasinoError, Fault};

/// The length of a secret in bytes, as RFC 4226 recommends.
pub(crate) const SECRET_BYTES: usize = 20;
/// What authenticators list the account under.
const ISSUER: &str = "Glasshouse";
/// How many steps the clock of an authenticator may be ahead or behind.
const DRIFT_STEPS: u16 = 1;

/// What a user sets an authenticator up with. It is shown once.
#[derive(Clone)]
pub struct Enrolment {
    /// The secret in base 32.
    pub secret: String,
    /// The same as an `otpauth:` URI, for a QR code.
    pub uri: String,
}

impl Enrolment {
    pub(crate) fn of(secret: &[u8], username: &str) -> Result<Self, CasinoError> {
        let totp = totp(secret, username)?;
        Ok(Self {
            secret: totp.secret().to_base32(),
            uri: totp.to_url().map_err(|error| unusable(&error))?,
        })
    }
}

/// The time step whose code this is, if that is the current one or one next to it.
///
/// # Errors
/// If the secret cannot be used.
pub(crate) fn matching_step(
    secret: &[u8],
    code: &str,
    at: Timestamp,
) -> Result<Option<i64>, CasinoError> {
    let seconds = u64::try_from(at.as_micros() / 1_000_000).unwrap_or(0);
    let step = totp(secret, "")?.check(code, seconds);
    Ok(step.and_then(|step| i64::try_from(step).ok()))
}

fn totp(secret: &[u8], username: &str) -> Result<Totp, CasinoError> {
    Builder::new()
        .with_secret(Secret::new(secret.into()))
        .with_skew(DRIFT_STEPS)
        .with_issuer(Some(ISSUER))
        .with_account_name(username)
        .build()
        .map_err(|error| unusable(&error))
}

fn unusable(error: &totp_rs::TotpError) -> CasinoError {
    CasinoError::Fault(Fault::Corrupt(format!("authenticator: {error}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The secret of the examples in RFC 6238, whose codes have eight digits; ours are the last six.
    const SECRET: &[u8] = b"12345678901234567890";

    fn at(seconds: i64) -> Timestamp {
        Timestamp::from_micros(seconds * 1_000_000)
    }

    #[test]
    fn the_codes_are_those_of_the_standard() {
        for (seconds, code) in [
            (59, "287082"),
            (1_111_111_109, "081804"),
            (1_111_111_111, "050471"),
            (1_234_567_890, "005924"),
            (2_000_000_000, "279037"),
        ] {
            let step = matching_step(SECRET, code, at(seconds)).unwrap();
            assert_eq!(step, Some(seconds / 30));
        }
    }

    #[test]
    fn a_clock_may_be_one_step_ahead_or_behind() {
        let accepted = |seconds| matching_step(SECRET, "287082", at(seconds)).unwrap();
        // The code is that of the seconds 30 to 59.
        for (seconds, expected) in [
            (0, Some(1)),
            (29, Some(1)),
            (30, Some(1)),
            (89, Some(1)),
            (90, None),
            (120, None),
        ] {
            assert_eq!(accepted(seconds), expected, "{seconds}");
        }
        for wrong in ["287083", "28708", "2870820", "", "abcdef"] {
            assert_eq!(matching_step(SECRET, wrong, at(59)).unwrap(), None);
        }
    }

    #[test]
    fn an_enrolment_is_what_authenticators_scan() {
        let enrolment = Enrolment::of(SECRET, "alice").unwrap();
        assert_eq!(enrolment.secret, "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ");
        assert!(
            enrolment
                .uri
                .starts_with("otpauth://totp/Glasshouse:alice?")
        );
        for part in [
            "secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ",
            "issuer=Glasshouse",
        ] {
            assert!(enrolment.uri.contains(part), "{}", enrolment.uri);
        }
    }
}
