//! Audits of a house that signs a true log, but serves other files than those of the log.

use glasshouse_transparency::entry::encode_bundle;
use glasshouse_transparency::tile::{Bundle, Tile, TilePath};

use crate::forged_house::ForgedHouse;
use crate::honest::{Honest, audit};
use crate::rounds::play_all;

/// The path of a bundle of entries.
fn entries(index: u64, width: u16) -> String {
    format!(
        "/log/{}",
        TilePath::Entries(Bundle::new(index, width).unwrap())
    )
}

/// The path of a tile of hashes.
fn hashes(level: u8, index: u64, width: u16) -> String {
    format!(
        "/log/{}",
        TilePath::Hashes(Tile::new(level, index, width).unwrap())
    )
}

/// A log of more than one bundle: 256 entries and 44.
fn long() -> (Honest, Vec<String>) {
    let honest = Honest::of(play_all(50));
    let lines = honest.lines[..300].to_vec();
    (honest, lines)
}

/// Serves other entries at the given place of the second bundle.
fn serve_second(house: &ForgedHouse, lines: &[String]) {
    house.put(&entries(1, 44), Some(encode_bundle(lines).unwrap()));
}

#[test]
fn changed_entries_are_not_in_the_signed_tree() {
    let (honest, lines) = long();
    let house = honest.serve(&lines);
    audit(&house).assert_fine();
    let second = &lines[256..];
    // A change that also contradicts the rules, and one that does not.
    let at = (7..second.len())
        .find(|at| second[*at].contains(r#""payout":0,"#))
        .unwrap();
    let index = 256 + at;
    let mut changed = second.to_vec();
    changed[at] = changed[at].replace(r#""payout":0,"#, r#""payout":1,"#);
    serve_second(&house, &changed);
    audit(&house).assert_contradiction(&[
        &format!(": entry {index}: its hash is "),
        ", but the signed tree has ",
        "What is served is wrong in itself, too: $0.01 is published as the payout",
    ]);
    let mut later = second.to_vec();
    later[at] = later[at].replace(r#""second":1"#, r#""second":16"#);
    later[at] = later[at].replacen("00}", "}", 1);
    serve_second(&house, &later);
    audit(&house).assert_contradiction(&[&format!(": entry {index}: its hash is ")]);
    let mut swapped = second.to_vec();
    swapped.swap(3, 5);
    serve_second(&house, &swapped);
    let audited = audit(&house);
    audited.assert_contradiction(&[": entry 259: its hash is ", &swapped[3]]);
    let mut replaced = second.to_vec();
    replaced[43].clone_from(&second[42]);
    serve_second(&house, &replaced);
    audit(&house).assert_contradiction(&[": entry 299: its hash is "]);
}

/// What the house has signed comes first: here entry 10 is wrong as it was signed, and entry 20 is
/// only served wrongly.
#[test]
fn the_first_contradiction_is_reported() {
    let honest = Honest::new();
    let change = |lines: &mut Vec<String>, index: usize| {
        lines[index] = lines[index].replace(r#""second":"#, r#" "second":"#);
    };
    let mut signed = honest.lines.clone();
    change(&mut signed, 10);
    let mut served = signed.clone();
    change(&mut served, 20);
    let house = honest.serve(&signed);
    let width = u16::try_from(signed.len()).unwrap();
    house.put(&entries(0, width), Some(encode_bundle(&served).unwrap()));
    audit(&house).assert_contradiction(&[": entry 10: the entry is not written in the usual way"]);
    change(&mut served, 5);
    house.put(&entries(0, width), Some(encode_bundle(&served).unwrap()));
    audit(&house).assert_contradiction(&[": entry 5: its hash is "]);
}

#[test]
fn missing_and_additional_entries_are_found() {
    let (honest, lines) = long();
    let house = honest.serve(&lines);
    let second = &lines[256..];
    serve_second(&house, &second[..43]);
    audit(&house).assert_contradiction(&["the entries 256 to 299 are served in a malformed file"]);
    serve_second(&house, &[second, second].concat());
    audit(&house).assert_contradiction(&["the entries 256 to 299 are served in a malformed file"]);
    house.put(&entries(1, 44), None);
    audit(&house).assert_contradiction(&[
        "the entries 256 to 299 are not served, but the signed log of 300 contains them",
    ]);
    // A house that can still serve the entries before the one that it has lost.
    for width in 1..=17 {
        let data = encode_bundle(&second[..width]).unwrap();
        house.put(&entries(1, u16::try_from(width).unwrap()), Some(data));
    }
    audit(&house).assert_contradiction(&["the entries 273 to 299 are not served"]);
    house.put(&entries(0, 256), None);
    audit(&house).assert_contradiction(&["the entries 0 to 255 are not served"]);
}

#[test]
fn tiles_must_be_those_of_the_signed_tree() {
    let (honest, lines) = long();
    let house = honest.serve(&lines);
    for (path, offset, text) in [
        (
            hashes(0, 1, 44),
            7 * 32,
            "tile/0/001.p/44 does not agree with the entries below it, beginning with entry 263, and \
             the served tiles do not lead to the signed root of 300 entries",
        ),
        (
            hashes(1, 0, 1),
            0,
            "tile/1/000.p/1 does not agree with the entries below it, beginning with entry 0",
        ),
    ] {
        let right = house.file(&path);
        let mut wrong = right.clone();
        wrong[offset] ^= 1;
        house.put(&path, Some(wrong));
        audit(&house).assert_contradiction(&[text]);
        house.put(&path, Some(right[32..].to_vec()));
        audit(&house).assert_contradiction(&["is not served with"]);
        house.put(&path, None);
        audit(&house).assert_contradiction(&["but the signed log of 300 contains it"]);
        house.put(&path, Some(right));
    }
    audit(&house).assert_fine();
}

#[test]
fn the_signature_must_be_that_of_the_key() {
    let honest = Honest::new();
    let house = honest.serve(&honest.lines);
    let note = String::from_utf8(house.file("/log/checkpoint")).unwrap();
    let (text, signature) = note.rsplit_once(' ').unwrap();
    // The first digits are the ID of the key.
    let (id, rest) = signature.split_at(20);
    let other = if rest.starts_with('A') { "B" } else { "A" };
    let forged = format!("{text} {id}{other}{}", &rest[1..]);
    for (forged, reason) in [
        (forged, "a signature does not match the text"),
        (
            note.replacen("play", "plan", 2),
            "it is not signed by a trusted key",
        ),
        (note.replace("\u{2014}", "-"), "it is not a signed note"),
    ] {
        assert_ne!(forged, note);
        house.put("/log/checkpoint", Some(forged.into()));
        let reason = format!("the checkpoint is refused: {reason}");
        audit(&house).assert_contradiction(&[&reason]);
    }
}

/// Between checkpoint and download, the house may have replaced partial files by full ones.
#[test]
fn full_files_replace_partial_ones() {
    let (honest, lines) = long();
    let house = honest.serve(&lines[..200]);
    let checkpoint = house.file("/log/checkpoint");
    house.replace(&lines, &honest.keys);
    house.put("/log/checkpoint", Some(checkpoint));
    let audited = audit(&house);
    assert!(audited.assert_fine().contains("Verified: 200 entries"));
}

/// An error says nothing about the house, so the request is repeated.
#[test]
fn downloads_are_repeated_after_errors() {
    let (honest, lines) = long();
    let house = honest.serve(&lines);
    house.fail(3);
    audit(&house).assert_fine();
    house.fail(usize::MAX);
    audit(&house).assert_fault("the answer is 503");
    house.fail(0);
    // Nothing that a house sends is taken into memory without end.
    house.put("/log/checkpoint", Some(vec![b'x'; 2 * 1024 * 1024]));
    audit(&house).assert_fault("it is larger than 1048576 bytes");
}
