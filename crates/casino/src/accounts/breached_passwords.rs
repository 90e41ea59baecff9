//! Passwords that appeared in data breaches, as a filter that is part of the binary.
//!
//! The filter in `data/breached_passwords.filter` knows every password of the list that it was made
//! of, and mistakes one in 65,536 other passwords for one of them. Upper and lower case count as the
//! same, because whoever tries the list tries both. `cargo xtask breached-passwords` writes the file:
//!
//! | bytes | contents |
//! |---|---|
//! | 8 | [`MAGIC`] |
//! | 4 | the number of passwords |
//! | 20 | xorf's descriptor of the filter |
//! | the rest | the fingerprints, two bytes each |
//!
//! All numbers are little-endian.

use glasshouse_domain::NewPassword;
use sha2::{Digest as _, Sha256};
use xorf::{
    BinaryFuse16, BinaryFuse16Ref, Descriptor, DmaSerializable as _, Filter as _, FilterRef as _,
};

/// The file's first bytes: its format and the version of the format.
const MAGIC: [u8; 8] = *b"BREACH-1";
/// The length of what precedes xorf's descriptor.
const PREFIX_BYTES: usize = MAGIC.len() + size_of::<u32>();

/// Bytes at an address from which the filter can read fingerprints without copying them.
#[repr(C, align(4))]
struct Aligned<Bytes: ?Sized>(Bytes);

static FILE: &Aligned<[u8]> = &Aligned(*include_bytes!("../../data/breached_passwords.filter"));

// xorf reads fingerprints in the byte order of the computer.
const _: () = assert!(cfg!(target_endian = "little"));

/// Whether the password is on the list of passwords from data breaches.
pub(crate) fn is_breached(password: &NewPassword) -> bool {
    let (_, filter) = FILE.0.split_at(PREFIX_BYTES);
    let (descriptor, fingerprints) = filter.split_at(Descriptor::DMA_LEN);
    // Only reads the descriptor; the fingerprints stay where they are.
    BinaryFuse16Ref::from_dma(descriptor, fingerprints).contains(&key(password))
}

/// The contents of a new `data/breached_passwords.filter` for these passwords, and their number
/// without duplicates. The same passwords in any order result in the same contents.
///
/// # Errors
/// If no filter can be made of them.
pub fn breached_password_filter(
    passwords: impl Iterator<Item = NewPassword>,
) -> Result<(Vec<u8>, usize), &'static str> {
    let mut keys: Vec<u64> = passwords.map(|password| key(&password)).collect();
    keys.sort_unstable();
    keys.dedup();
    let count = u32::try_from(keys.len()).map_err(|_| "too many passwords")?;
    let filter = BinaryFuse16::try_from(&keys)?;
    let mut descriptor = [0; Descriptor::DMA_LEN];
    filter.dma_copy_descriptor_to(&mut descriptor);
    let parts: [&[u8]; 4] = [
        &MAGIC,
        &count.to_le_bytes(),
        &descriptor,
        filter.dma_fingerprints(),
    ];
    Ok((parts.concat(), keys.len()))
}

/// What the filter knows of a password: the first 8 bytes of the SHA-256 of its normal form in
/// lower case. The text in lower case is never in memory as a whole.
fn key(password: &NewPassword) -> u64 {
    let mut hash = Sha256::new();
    for letter in password.expose().chars().flat_map(char::to_lowercase) {
        hash.update(letter.encode_utf8(&mut [0; 4]));
    }
    let first_bytes = hash.finalize().into_iter().take(size_of::<u64>());
    first_bytes.fold(0, |key, byte| (key << 8) | u64::from(byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(password: &str) -> NewPassword {
        NewPassword::parse(password.to_owned()).unwrap()
    }

    #[track_caller]
    fn check(password: &str, expected: bool) {
        assert_eq!(is_breached(&parse(password)), expected, "{password}");
    }

    #[test]
    fn passwords_of_the_list_are_recognised_in_any_case_and_unicode_form() {
        for password in [
            "123456",
            "password1",
            "k9vVos0a",
            "yfcnhjtybt",
            "nEMvXyHeqDd5OQxyXYZI",
            "xxaIGWnffPu9M",
        ] {
            check(password, true);
            check(&password.to_lowercase(), true);
            check(&password.to_uppercase(), true);
            // Full-width digits and letters, whose normal form is ASCII.
            let wide = |letter: char| char::from_u32(u32::from(letter) + 0xfee0).unwrap();
            check(&password.chars().map(wide).collect::<String>(), true);
            check(&format!("{password}~tr4vel"), false);
        }
    }

    /// The key of a password does not depend on the form in which it was typed.
    #[test]
    fn the_key_is_the_same_in_any_case_and_unicode_form() {
        let composed = key(&parse("m\u{fc}nchen1"));
        for other in ["mu\u{308}nchen1", "M\u{dc}NCHEN1", "MU\u{308}nchen\u{ff11}"] {
            assert_eq!(key(&parse(other)), composed, "{other}");
        }
        assert_ne!(key(&parse("munchen1")), composed);
    }

    #[test]
    fn random_texts_are_not_recognised() {
        for number in 0..1_000_u32 {
            check(&hex::encode(Sha256::digest(number.to_le_bytes())), false);
        }
        check("tr4vel-lamp", false);
    }

    #[test]
    fn the_file_has_the_expected_format() {
        let (magic, rest) = FILE.0.split_first_chunk().unwrap();
        assert_eq!(*magic, MAGIC);
        let (count, rest) = rest.split_first_chunk().unwrap();
        let count = usize::try_from(u32::from_le_bytes(*count)).unwrap();
        assert_eq!(count, 887_273);
        let (descriptor, fingerprints) = rest.split_at(Descriptor::DMA_LEN);
        let filter = BinaryFuse16Ref::from_dma(descriptor, fingerprints);
        assert_eq!(filter.len() * size_of::<u16>(), fingerprints.len());
    }

    #[test]
    fn the_same_passwords_make_the_same_filter() {
        let passwords = ["tr4vel-lamp", "c4reful-hands", "k7#qPz"];
        let filter = |passwords: &[&str]| {
            breached_password_filter(passwords.iter().map(|text| parse(text))).unwrap()
        };
        let (bytes, count) = filter(&passwords);
        assert_eq!(count, 3);
        let reordered = ["k7#qPz", "K7#QPZ", "c4reful-hands", "tr4vel-lamp"];
        assert_eq!(filter(&reordered), (bytes, 3));
    }
}
