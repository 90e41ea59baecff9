//! The witnesses of the public log, as they are configured.

use std::fmt;
use std::str::FromStr;

use glasshouse_domain::Timestamp;
use glasshouse_transparency::cosignature::WitnessKey;
use glasshouse_transparency::keys::KeyError;
use glasshouse_transparency::witness::ADD_CHECKPOINT_PATH;
use reqwest::Url;

/// Somebody who cosigns the checkpoints of the log.
#[derive(Debug, Clone)]
pub struct Witness {
    /// The address to which checkpoints are sent.
    pub(crate) address: Url,
    pub(crate) key: WitnessKey,
}

/// What a witness has cosigned.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WitnessStatus {
    /// The name of the witness.
    pub name: String,
    /// Its verifier key.
    pub key: String,
    /// The size of the largest log that it has cosigned, and when it did so last; `None` before the
    /// first time.
    pub cosigned: Option<(u64, Timestamp)>,
}

/// The text does not name a witness.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum WitnessError {
    /// It does not consist of two parts.
    #[error("a witness is an address and a verifier key with a space in between, not {0:?}")]
    Form(String),
    /// The address is not one.
    #[error("the address of a witness is https://HOST/PATH, or http:// for testing, not {0:?}")]
    Address(String),
    /// The key is not that of a witness.
    #[error("{0:?} is not the verifier key of a witness: {1}")]
    Key(String, KeyError),
}

/// Parses `URL VKEY`.
impl FromStr for Witness {
    type Err = WitnessError;

    fn from_str(text: &str) -> Result<Self, WitnessError> {
        let form = || WitnessError::Form(text.to_owned());
        let (url, key) = text.trim().split_once(' ').ok_or_else(form)?;
        let address = address_of(url).ok_or_else(|| WitnessError::Address(url.to_owned()))?;
        let key = key.trim();
        let key =
            WitnessKey::parse(key).map_err(|error| WitnessError::Key(key.to_owned(), error))?;
        Ok(Self { address, key })
    }
}

/// The address to which checkpoints are sent. User and password are refused, because they would end
/// up in logs.
fn address_of(url: &str) -> Option<Url> {
    let url = Url::parse(url).ok()?;
    let is_address = matches!(url.scheme(), "http" | "https")
        && url.has_host()
        && url.username().is_empty()
        && url.password().is_none()
        && url.query().is_none()
        && url.fragment().is_none();
    let base = url.as_str().trim_end_matches('/');
    let address = Url::parse(&format!("{base}{ADD_CHECKPOINT_PATH}")).ok()?;
    is_address.then_some(address)
}

/// The name of the witness.
impl fmt::Display for Witness {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.key.name().fmt(formatter)
    }
}

#[cfg(test)]
mod tests {
    use glasshouse_transparency::cosignature::WitnessSigningKey;
    use glasshouse_transparency::keys::new_private_key;
    use glasshouse_transparency::origin::Origin;

    use super::*;

    fn key() -> String {
        use secrecy::ExposeSecret as _;
        let name = Origin::parse("witness.example").unwrap();
        let line = new_private_key(&name, [3; 32]);
        let key = WitnessSigningKey::parse(line.expose_secret()).unwrap();
        key.public().to_string()
    }

    #[test]
    fn a_witness_is_an_address_and_a_key() {
        let key = key();
        for (url, address) in [
            (
                "https://witness.example",
                "https://witness.example/add-checkpoint",
            ),
            (
                "http://127.0.0.1:1/a/",
                "http://127.0.0.1:1/a/add-checkpoint",
            ),
        ] {
            let witness: Witness = format!(" {url}  {key}\n").parse().unwrap();
            assert_eq!(witness.address.as_str(), address);
            assert_eq!(witness.to_string(), "witness.example");
        }
        let parse = |text: String| text.parse::<Witness>().unwrap_err();
        assert!(matches!(parse(key.clone()), WitnessError::Form(_)));
        for url in [
            "ftp://a",
            "a",
            "https://",
            "https://me:secret@a",
            "https://a?b",
            "https://a#b",
        ] {
            let error = parse(format!("{url} {key}"));
            assert!(matches!(error, WitnessError::Address(_)), "{url}: {error}");
        }
        let error = parse("https://a nonsense".to_owned());
        assert!(matches!(error, WitnessError::Key(..)), "{error}");
    }
}
