//! Bundles of entries, as C2SP tlog-tiles defines them: each entry follows its length.

use super::MAXIMUM_LENGTH;

/// The number of entries in a full bundle.
const WIDTH: usize = 256;

/// Why a bundle cannot be written or is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum BundleError {
    /// An entry is too long.
    #[error("an entry is longer than {MAXIMUM_LENGTH} bytes")]
    EntryTooLong,
    /// There are no entries, or more than 256.
    #[error("a bundle has 1 to {WIDTH} entries")]
    Width,
    /// The bytes end within an entry, or do not contain the expected number of entries.
    #[error("the bundle does not consist of the expected number of entries")]
    Malformed,
}

/// Writes 1 to 256 entries as a bundle.
///
/// # Errors
/// If there are none or too many, or one is too long.
pub fn encode_bundle<E: AsRef<[u8]>>(entries: &[E]) -> Result<Vec<u8>, BundleError> {
    if !(1..=WIDTH).contains(&entries.len()) {
        return Err(BundleError::Width);
    }
    let mut bundle = Vec::new();
    for entry in entries {
        let entry = entry.as_ref();
        let length = u16::try_from(entry.len()).map_err(|_| BundleError::EntryTooLong)?;
        bundle.extend(length.to_be_bytes());
        bundle.extend(entry);
    }
    Ok(bundle)
}

/// Reads the entries of a bundle of the given width, which is 1 to 256.
///
/// # Errors
/// If the bytes are not exactly that many entries.
pub fn decode_bundle(bundle: &[u8], width: u16) -> Result<Vec<&[u8]>, BundleError> {
    if !(1..=WIDTH).contains(&usize::from(width)) {
        return Err(BundleError::Width);
    }
    let mut rest = bundle;
    let mut entries = Vec::with_capacity(usize::from(width));
    for _ in 0..width {
        let (length, after) = rest.split_first_chunk().ok_or(BundleError::Malformed)?;
        let length = usize::from(u16::from_be_bytes(*length));
        let (entry, after) = after
            .split_at_checked(length)
            .ok_or(BundleError::Malformed)?;
        entries.push(entry);
        rest = after;
    }
    if rest.is_empty() {
        Ok(entries)
    } else {
        Err(BundleError::Malformed)
    }
}
