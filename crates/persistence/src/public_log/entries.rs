//! The entries of a batch as they are stored: one after the other, each preceded by its length. A
//! commit may have more of them than a bundle of the log.

use glasshouse_transparency::entry::{BundleError, encode_bundle};

use crate::error::DatabaseError;

/// Appends an entry to those of a batch.
pub(crate) fn append(entries: &mut Vec<u8>, line: &[u8]) -> Result<(), BundleError> {
    entries.extend(encode_bundle(&[line])?);
    Ok(())
}

/// The entries of a batch, which must be of this number.
pub(crate) fn split(batch: i64, entries: &[u8], count: u64) -> Result<Vec<&[u8]>, DatabaseError> {
    let mut lines = Vec::new();
    let mut rest = entries;
    while let Some((length, after)) = rest.split_first_chunk() {
        let length = usize::from(u16::from_be_bytes(*length));
        let Some((line, after)) = after.split_at_checked(length) else {
            break;
        };
        lines.push(line);
        rest = after;
    }
    if rest.is_empty() && u64::try_from(lines.len()) == Ok(count) {
        Ok(lines)
    } else {
        let message = format!("the entries of batch {batch} are not {count} whole ones");
        Err(DatabaseError::corrupt(message))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_whole_entries_are_accepted() {
        let mut entries = Vec::new();
        for line in [&b"one"[..], b"", b"three"] {
            append(&mut entries, line).unwrap();
        }
        let lines: [&[u8]; 3] = [b"one", b"", b"three"];
        assert_eq!(split(1, &entries, 3).unwrap(), lines);
        assert!(split(1, &[], 0).unwrap().is_empty());
        for (part, count) in [
            (&entries[..], 2),
            (&entries[..], 4),
            (&entries[..entries.len() - 1], 3),
            (&entries[1..], 3),
            (&[0][..], 0),
            (&[0][..], 1),
        ] {
            let error = split(7, part, count).unwrap_err();
            assert!(error.to_string().contains("batch 7"), "{error}");
        }
    }
}
