//! The codes that verify payouts, as the authenticator of the provider's account shows them
//! (RFC 6238): six digits that change every 30 seconds.

use totp_rs::{Builder, Totp};

use super::options::{ClientSetUpError, Secret};

/// The shortest secret that services give out, in bytes: 16 characters in base 32.
const MINIMUM_SECRET_BYTES: usize = 10;

/// The authenticator of the account.
pub(super) struct Authenticator(Totp);

impl Authenticator {
    /// Parses a secret in base 32, in either case; spaces, hyphens and padding do not count.
    pub(super) fn new(secret: &Secret) -> Result<Self, ClientSetUpError> {
        let is_ignored = |character: &char| matches!(character, ' ' | '-' | '=');
        let characters = secret.reveal().chars();
        let secret: String = characters.filter(|one| !is_ignored(one)).collect();
        let secret = totp_rs::Secret::try_from_base32(secret.to_ascii_uppercase())
            .ok()
            .filter(|secret| secret.as_bytes().len() >= MINIMUM_SECRET_BYTES)
            .ok_or(ClientSetUpError::PayoutSecret)?;
        // The standard asks for 16 bytes, but the length is the provider's to choose.
        let codes = Builder::new().with_secret(secret).build_noncompliant();
        Ok(Self(codes))
    }

    /// The code of the present time.
    pub(super) fn code(&self, now: jiff::Timestamp) -> String {
        let seconds = u64::try_from(now.as_second()).unwrap_or_default();
        self.0.generate(seconds).to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn authenticator(secret: &str) -> Result<Authenticator, ClientSetUpError> {
        Authenticator::new(&Secret::new(secret.to_owned()).unwrap())
    }

    #[test]
    fn the_codes_are_those_of_the_standard() {
        for secret in [
            "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ",
            "gezd gnbv gy3t qojq gezd gnbv gy3t qojq",
            "GEZDGNBV-GY3TQOJQ-GEZDGNBV-GY3TQOJQ==",
        ] {
            let authenticator = authenticator(secret).unwrap();
            for (seconds, code) in [(59, "287082"), (1_111_111_109, "081804")] {
                let now = jiff::Timestamp::from_second(seconds).unwrap();
                assert_eq!(authenticator.code(now), code);
            }
        }
    }

    #[test]
    fn a_wrong_secret_is_refused_and_not_shown() {
        for wrong in ["GEZDGNBVGY3TQOJ", "GEZDGNBVGY3TQ0J1", "a b c", "===="] {
            let error = authenticator(wrong).err().unwrap();
            assert_eq!(error, ClientSetUpError::PayoutSecret);
            assert!(!error.to_string().contains(wrong));
        }
        assert!(authenticator("GEZDGNBVGY3TQOJQ").is_ok());
    }
}
