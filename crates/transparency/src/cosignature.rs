//! What a witness signs: that a checkpoint is the largest one that it knows of a log, and continues
//! all earlier ones (C2SP tlog-cosignature, version 1 with Ed25519).

use std::fmt;

use base64::prelude::{BASE64_STANDARD, Engine as _};
use ed25519_dalek::{Signature, Signer as _, SigningKey, VerifyingKey};
use signed_note::Note;

use crate::checkpoint::Checkpoint;
use crate::keys::{KeyError, NoteError, private_key};
use crate::origin::Origin;

/// The type of cosignatures in keys, so that a cosignature never passes as the log's signature.
const COSIGNATURE_V1: u8 = 4;
/// The largest time that the format allows, in seconds.
const MAXIMUM_TIME: u64 = i64::MAX.cast_unsigned();

/// The private key of a witness. It is wiped from memory when dropped.
pub struct WitnessSigningKey {
    key: SigningKey,
    public: WitnessKey,
}

/// The public key with which a witness' cosignatures are verified.
#[derive(Clone, PartialEq, Eq)]
pub struct WitnessKey {
    name: Origin,
    id: u32,
    key: VerifyingKey,
}

/// Whose cosignature a checkpoint has, and of when.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cosignature {
    /// The witness.
    pub witness: Origin,
    /// When the witness signed, in seconds since 1970.
    pub second: u64,
}

impl WitnessSigningKey {
    /// Parses a private key, which has the same format as a log's and the name of the witness.
    ///
    /// # Errors
    /// If the text is not an Ed25519 key in its usual form.
    pub fn parse(line: &str) -> Result<Self, KeyError> {
        let (name, key) = private_key(line, 1)?;
        let public = WitnessKey::new(name, key.verifying_key());
        Ok(Self { key, public })
    }

    /// The key that verifies the cosignatures.
    #[must_use]
    pub const fn public(&self) -> &WitnessKey {
        &self.public
    }

    /// Cosigns a log's checkpoint and returns the line that is added to its note. `second` is the
    /// time in seconds since 1970.
    #[must_use]
    pub fn cosign(&self, log: &Origin, checkpoint: &Checkpoint, second: u64) -> String {
        let text = signed_text(&checkpoint.body(log), second);
        let signature = self.key.sign(text.as_bytes()).to_bytes();
        let id = self.public.id.to_be_bytes();
        let bytes = [&id[..], &second.to_be_bytes(), &signature].concat();
        format!("— {} {}\n", self.public.name, BASE64_STANDARD.encode(bytes))
    }
}

impl fmt::Debug for WitnessSigningKey {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_tuple("WitnessSigningKey")
            .field(&self.public)
            .finish()
    }
}

fn signed_text(body: &str, second: u64) -> String {
    format!("cosignature/v1\ntime {second}\n{body}")
}

impl WitnessKey {
    /// Parses the usual text of a witness' key, `<name>+<id>+<base64>` with the type of
    /// cosignatures.
    ///
    /// # Errors
    /// If the text is not such a key in its usual form, or the key is weak.
    pub fn parse(text: &str) -> Result<Self, KeyError> {
        let (name, key) = Self::split(text).ok_or(KeyError::Malformed(1))?;
        let name = Origin::parse(name).map_err(|error| KeyError::Name(1, error))?;
        let key = Self::new(name, key);
        if key.to_string() == text && !key.key.is_weak() {
            Ok(key)
        } else {
            Err(KeyError::Malformed(1))
        }
    }

    fn split(text: &str) -> Option<(&str, VerifyingKey)> {
        let mut parts = text.splitn(3, '+');
        let (name, _, typed) = (parts.next()?, parts.next()?, parts.next()?);
        let typed = BASE64_STANDARD.decode(typed).ok()?;
        let (_, key) = typed.split_first()?;
        Some((name, VerifyingKey::try_from(key).ok()?))
    }

    fn new(name: Origin, key: VerifyingKey) -> Self {
        let id = signed_note::key_id(name.as_str(), &typed_key(&key));
        Self { name, id, key }
    }

    /// The name of the witness.
    #[must_use]
    pub const fn name(&self) -> &Origin {
        &self.name
    }
}

fn typed_key(key: &VerifyingKey) -> Vec<u8> {
    [&[COSIGNATURE_V1], key.as_bytes().as_slice()].concat()
}

impl fmt::Display for WitnessKey {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let key = BASE64_STANDARD.encode(typed_key(&self.key));
        write!(formatter, "{}+{:08x}+{key}", self.name, self.id)
    }
}

impl fmt::Debug for WitnessKey {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, formatter)
    }
}

impl signed_note::Verifier for WitnessKey {
    fn name(&self) -> &str {
        self.name.as_str()
    }

    fn key_id(&self) -> u32 {
        self.id
    }

    fn verify(&self, body: &[u8], cosignature: &[u8]) -> bool {
        self.verify_cosignature(body, cosignature).is_some()
    }
}

impl WitnessKey {
    fn verify_cosignature(&self, body: &[u8], cosignature: &[u8]) -> Option<()> {
        let (second, signature) = split_cosignature(cosignature)?;
        let text = signed_text(std::str::from_utf8(body).ok()?, second);
        self.key.verify_strict(text.as_bytes(), &signature).ok()
    }
}

/// The time and the signature in a cosignature.
fn split_cosignature(bytes: &[u8]) -> Option<(u64, Signature)> {
    let (second, signature) = bytes.split_first_chunk()?;
    let second = u64::from_be_bytes(*second);
    let signature = Signature::from_slice(signature).ok()?;
    (second <= MAXIMUM_TIME).then_some((second, signature))
}

/// The keys of witnesses as the library looks them up.
struct Witnesses<'k>(&'k [WitnessKey]);

impl signed_note::Verifiers for Witnesses<'_> {
    fn verifier(
        &self,
        name: &str,
        id: u32,
    ) -> Result<&dyn signed_note::Verifier, signed_note::VerificationError> {
        let is_wanted = |key: &&WitnessKey| key.name.as_str() == name && key.id == id;
        self.0
            .iter()
            .find(is_wanted)
            .map(|key| -> &dyn signed_note::Verifier { key })
            .ok_or_else(|| signed_note::VerificationError::UnknownKey {
                name: name.to_owned(),
                id,
            })
    }
}

/// The cosignatures of a checkpoint by the given witnesses, in the order of the note. Signatures by
/// others are ignored. Whether the log signed the checkpoint is verified by [`Checkpoint::open`].
///
/// # Errors
/// If the text is not a signed note, or a signature by one of the witnesses does not match.
pub fn cosignatures(note: &str, witnesses: &[WitnessKey]) -> Result<Vec<Cosignature>, NoteError> {
    let signatures = match verified(note, witnesses) {
        Err(NoteError::Unsigned) => Vec::new(),
        other => other?,
    };
    let cosignature = |signature: &signed_note::Signature| {
        Some(Cosignature {
            witness: Origin::parse(signature.name()).ok()?,
            second: split_cosignature(signature.signature())?.0,
        })
    };
    Ok(signatures.iter().filter_map(cosignature).collect())
}

fn verified(
    note: &str,
    witnesses: &[WitnessKey],
) -> Result<Vec<signed_note::Signature>, NoteError> {
    let note = Note::from_bytes(note.as_bytes())?;
    let (verified, _) = note.verify(&Witnesses(witnesses))?;
    Ok(verified)
}

/// Adds the cosignatures in a witness' answer to a signed checkpoint, in place of earlier ones by the
/// same keys. Lines by others than the given witnesses are left out.
///
/// # Errors
/// If the note or the answer is malformed, a cosignature does not match, or there is none by the
/// given witnesses.
pub fn add_cosignatures(
    note: &str,
    answer: &str,
    witnesses: &[WitnessKey],
) -> Result<String, NoteError> {
    let (text, signatures) = note.rsplit_once("\n\n").ok_or(NoteError::Malformed)?;
    // After an empty line the beginning of the answer would be a part of the signed text.
    if answer.starts_with('\n') || answer.contains("\n\n") {
        return Err(NoteError::Malformed);
    }
    let added = verified(&format!("{text}\n\n{answer}"), witnesses)?;
    let mut cosigned = format!("{text}\n\n");
    for line in signatures.lines() {
        let signature = signed_note::Signature::from_bytes(line.as_bytes())?;
        let is_same = |other: &signed_note::Signature| {
            (other.name(), other.id()) == (signature.name(), signature.id())
        };
        if !added.iter().any(is_same) {
            cosigned.push_str(line);
            cosigned.push('\n');
        }
    }
    for signature in added {
        let line = String::from_utf8(signature.to_bytes()).map_err(|_| NoteError::Malformed)?;
        cosigned.push_str(&line);
    }
    Ok(cosigned)
}
