//! The house's signing keys, and the published keys that verify what they signed, as C2SP signed
//! notes.

use std::fmt;

use base64::prelude::{BASE64_STANDARD, Engine as _};
use ed25519_dalek::{SigningKey, VerifyingKey};
use secrecy::SecretString;
use secrecy::zeroize::Zeroizing;
use signed_note::{Note, Signer as _, StandardSigner, StandardVerifier, Verifier as _};

use crate::origin::{Origin, OriginError};

/// Ed25519 in the keys of signed notes.
const ED25519: u8 = 1;

/// Why keys are refused. The message never contains a part of a private key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum KeyError {
    /// There is no key.
    #[error("there is no key")]
    None,
    /// A line is not an Ed25519 key of a signed note.
    #[error("line {0} is not a signed note's Ed25519 key")]
    Malformed(usize),
    /// The name of a key is not an origin.
    #[error("the name of the key in line {0} is not valid: {1}")]
    Name(usize, OriginError),
    /// Two keys have different names.
    #[error("the key in line {0} has another name than the one before")]
    OtherName(usize),
    /// A key occurs twice.
    #[error("the key in line {0} occurs twice")]
    Duplicate(usize),
}

/// Why a note is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NoteError {
    /// It is not a signed note.
    #[error("it is not a signed note")]
    Malformed,
    /// None of the trusted keys signed it.
    #[error("it is not signed by a trusted key")]
    Unsigned,
    /// A signature by a trusted key does not match the text.
    #[error("a signature does not match the text")]
    InvalidSignature,
    /// The signed text is of another kind or of another origin.
    #[error("the signed text is not the expected statement of this origin")]
    OtherText,
}

/// The private keys that sign for one origin. They are wiped from memory when dropped.
pub struct SigningKeys {
    origin: Origin,
    signers: Vec<StandardSigner>,
    public: VerifierKeys,
}

/// The public keys of one origin.
#[derive(Clone)]
pub struct VerifierKeys {
    origin: Origin,
    keys: Vec<VerifierKey>,
}

#[derive(Clone)]
struct VerifierKey {
    text: String,
    verifier: StandardVerifier,
}

/// The line of a key file for a new private key, made of 32 random bytes.
///
/// The format is that of Go's `note.GenerateKey`: `PRIVATE+KEY+<origin>+<id>+<base64>`.
#[must_use]
pub fn new_private_key(origin: &Origin, random: [u8; 32]) -> SecretString {
    let random = Zeroizing::new(random);
    let key = SigningKey::from_bytes(&random);
    let mut typed = Zeroizing::new([ED25519; 33]);
    let (_, secret) = typed.split_at_mut(1);
    secret.copy_from_slice(&*random);
    let id = signed_note::key_id(origin.as_str(), &typed_public_key(&key.verifying_key()));
    let secret = Zeroizing::new(BASE64_STANDARD.encode(typed.as_slice()));
    let line = format!("PRIVATE+KEY+{origin}+{id:08x}+{}", &*secret);
    SecretString::from(line)
}

fn typed_public_key(key: &VerifyingKey) -> Vec<u8> {
    [&[ED25519], key.as_bytes().as_slice()].concat()
}

impl SigningKeys {
    /// Parses a key file: one private key of a signed note per line, the newest last.
    ///
    /// # Errors
    /// If there is no key, a line is not an Ed25519 key, keys have different names, or a key occurs
    /// twice.
    pub fn parse(file: &str) -> Result<Self, KeyError> {
        let mut signers = Vec::new();
        let mut published = String::new();
        for (number, line) in (1..).zip(file.lines()) {
            let (name, key) = private_key(line, number)?;
            let public = signed_note::new_ed25519_verifier_key(name.as_str(), &key.verifying_key());
            published.push_str(&public);
            published.push('\n');
            signers.push(StandardSigner::new(line).map_err(|_| KeyError::Malformed(number))?);
        }
        let public = VerifierKeys::parse(&published)?;
        Ok(Self {
            origin: public.origin.clone(),
            signers,
            public,
        })
    }

    /// The origin that the keys sign for.
    #[must_use]
    pub const fn origin(&self) -> &Origin {
        &self.origin
    }

    /// The keys that verify what these keys sign.
    #[must_use]
    pub const fn verifier_keys(&self) -> &VerifierKeys {
        &self.public
    }

    /// Signs a text with all keys and returns the signed note.
    ///
    /// # Errors
    /// If the text does not end with a line feed or contains other control characters.
    pub fn sign(&self, text: &str) -> Result<String, NoteError> {
        let mut note = Note::new(text.as_bytes(), &[])?;
        let signers: Vec<&dyn signed_note::Signer> = self
            .signers
            .iter()
            .map(|signer| -> &dyn signed_note::Signer { signer })
            .collect();
        note.add_sigs(&signers)?;
        String::from_utf8(note.to_bytes()).map_err(|_| NoteError::Malformed)
    }
}

impl fmt::Debug for SigningKeys {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ids = self.signers.iter().map(|signer| Id(signer.key_id()));
        formatter
            .debug_struct("SigningKeys")
            .field("origin", &self.origin)
            .field("ids", &ids.collect::<Vec<_>>())
            .finish_non_exhaustive()
    }
}

/// The ID of a key, as in the text of the key.
struct Id(u32);

impl fmt::Debug for Id {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:08x}", self.0)
    }
}

/// Parses the line of a private key; `number` is that of the line.
pub(crate) fn private_key(line: &str, number: usize) -> Result<(Origin, SigningKey), KeyError> {
    StandardSigner::new(line).map_err(|_| KeyError::Malformed(number))?;
    let (name, id, key) = split_private_key(line).ok_or(KeyError::Malformed(number))?;
    let public = signed_note::new_ed25519_verifier_key(name, &key.verifying_key());
    if public.split('+').nth(1) != Some(id) {
        return Err(KeyError::Malformed(number));
    }
    let name = Origin::parse(name).map_err(|error| KeyError::Name(number, error))?;
    Ok((name, key))
}

/// The name, ID and key of a private key that the library has checked, but does not tell.
fn split_private_key(line: &str) -> Option<(&str, &str, SigningKey)> {
    let mut parts = line.splitn(5, '+').skip(2);
    let (name, id, secret) = (parts.next()?, parts.next()?, parts.next()?);
    let typed = Zeroizing::new(BASE64_STANDARD.decode(secret).ok()?);
    let (_, secret) = typed.split_first()?;
    Some((name, id, SigningKey::try_from(secret).ok()?))
}

impl VerifierKeys {
    /// Parses published keys: one verifier key per line, the newest last.
    ///
    /// # Errors
    /// If there is no key, a line is not an Ed25519 verifier key in its usual form or the key is
    /// weak, keys have different names, or a key occurs twice.
    pub fn parse(text: &str) -> Result<Self, KeyError> {
        let mut origin: Option<Origin> = None;
        let mut keys: Vec<VerifierKey> = Vec::new();
        for (number, line) in (1..).zip(text.lines()) {
            let verifier = StandardVerifier::new(line).map_err(|_| KeyError::Malformed(number))?;
            if !is_canonical_and_strong(line, verifier.name()) {
                return Err(KeyError::Malformed(number));
            }
            let name = Origin::parse(verifier.name()).map_err(|e| KeyError::Name(number, e))?;
            if origin.get_or_insert_with(|| name.clone()) != &name {
                return Err(KeyError::OtherName(number));
            }
            let id = verifier.key_id();
            if keys.iter().any(|other| other.verifier.key_id() == id) {
                return Err(KeyError::Duplicate(number));
            }
            keys.push(VerifierKey {
                text: line.to_owned(),
                verifier,
            });
        }
        let origin = origin.ok_or(KeyError::None)?;
        Ok(Self { origin, keys })
    }

    /// The origin that the keys sign for.
    #[must_use]
    pub const fn origin(&self) -> &Origin {
        &self.origin
    }

    /// The text of each key, the newest last.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.keys.iter().map(|key| key.text.as_str())
    }

    /// Verifies a signed note and returns its text. Signatures by other keys are ignored, as the
    /// format demands.
    ///
    /// # Errors
    /// If the text is not a signed note, none of these keys signed it, or a signature by one of them
    /// does not match.
    pub fn open<'n>(&self, note: &'n str) -> Result<&'n str, NoteError> {
        let parsed = Note::from_bytes(note.as_bytes())?;
        parsed.verify(self)?;
        // The note's text borrows from the parsed note, so it is cut from the argument.
        note.get(..parsed.text().len()).ok_or(NoteError::Malformed)
    }
}

/// One verifier key per line, the newest last.
impl fmt::Display for VerifierKeys {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.iter().try_for_each(|key| writeln!(formatter, "{key}"))
    }
}

impl fmt::Debug for VerifierKeys {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_list().entries(self.iter()).finish()
    }
}

impl signed_note::Verifiers for VerifierKeys {
    fn verifier(
        &self,
        name: &str,
        id: u32,
    ) -> Result<&dyn signed_note::Verifier, signed_note::VerificationError> {
        self.keys
            .iter()
            .map(|key| &key.verifier)
            .find(|verifier| verifier.name() == name && verifier.key_id() == id)
            .map(|verifier| -> &dyn signed_note::Verifier { verifier })
            .ok_or_else(|| signed_note::VerificationError::UnknownKey {
                name: name.to_owned(),
                id,
            })
    }
}

/// Whether a verifier key is written as usual, and is not one of the few points for which one
/// signature is valid for many texts.
fn is_canonical_and_strong(line: &str, name: &str) -> bool {
    line.splitn(3, '+')
        .nth(2)
        .and_then(|key| BASE64_STANDARD.decode(key).ok())
        .and_then(|typed| VerifyingKey::try_from(typed.get(1..)?).ok())
        .is_some_and(|key| {
            !key.is_weak() && signed_note::new_ed25519_verifier_key(name, &key) == line
        })
}

impl From<signed_note::NoteError> for NoteError {
    fn from(error: signed_note::NoteError) -> Self {
        match error {
            signed_note::NoteError::UnverifiedNote => Self::Unsigned,
            signed_note::NoteError::InvalidSignature { .. } => Self::InvalidSignature,
            _ => Self::Malformed,
        }
    }
}
