//! The addresses of tiles and bundles, as C2SP tlog-tiles defines them.

use glasshouse_transparency::tile::{Bundle, Tile, TilePath, TilePathError};
use proptest::prelude::*;

fn tile(level: u8, index: u64, width: u16) -> TilePath {
    TilePath::Hashes(Tile::new(level, index, width).unwrap())
}

fn bundle(index: u64, width: u16) -> TilePath {
    TilePath::Entries(Bundle::new(index, width).unwrap())
}

#[test]
fn paths_are_written_as_specified() {
    let check = |path: TilePath, text: &str| {
        assert_eq!(path.to_string(), text);
        assert_eq!(text.parse(), Ok(path), "{text}");
    };
    check(tile(0, 0, 256), "tile/0/000");
    check(tile(0, 1234, 256), "tile/0/x001/234");
    check(tile(1, 1_234_067, 256), "tile/1/x001/x234/067");
    check(tile(1, 1_234_067, 1), "tile/1/x001/x234/067.p/1");
    check(tile(63, 999, 255), "tile/63/999.p/255");
    check(tile(8, 5, 3), "tile/8/005.p/3");
    check(bundle(5, 17), "tile/entries/005.p/17");
    check(bundle(1000, 256), "tile/entries/x001/000");
    check(
        tile(63, u64::MAX, 255),
        "tile/63/x018/x446/x744/x073/x709/x551/615.p/255",
    );
    check(
        bundle(u64::MAX, 256),
        "tile/entries/x018/x446/x744/x073/x709/x551/615",
    );
}

#[test]
fn other_texts_are_refused() {
    for text in [
        "",
        "tile",
        "tile/",
        "tile/0",
        "tile/0/",
        "tile/0/0",
        "tile/0/00",
        "tile/0/0000",
        "tile/0/1234",
        "tile/0/x000/001",
        "tile/0/001/234",
        "tile/0/x001/x234",
        "tile/0/x001",
        "tile/0/X001/234",
        "tile/00/000",
        "tile/64/000",
        "tile/255/000",
        "tile/256/000",
        "tile/-1/000",
        "tile/+1/000",
        "tile/8/0/000",
        "tile/data/000",
        "tile/8/data/000",
        "tile/0/000.p",
        "tile/0/000.p/",
        "tile/0/000.p/0",
        "tile/0/000.p/00",
        "tile/0/000.p/01",
        "tile/0/000.p/256",
        "tile/0/000.p/257",
        "tile/0/000.p/65537",
        "tile/0/000.p/+1",
        "tile/0/000.p/1/2",
        "tile/0/000.p/1.p/1",
        "tile/0/x000.p/1/000",
        "tile/0/000/",
        "/tile/0/000",
        "tile//000",
        "tile/0//000",
        "tile/ 0/000",
        "tile/0/000 ",
        "tile/0/000?",
        "tile/0/000.P/1",
        "Tile/0/000",
        "tile/entries",
        "tile/entries/",
        "tile/entries/0",
        "tile/entries/005.p/256",
        "tile/entries/005.p/0",
        "tile/entries/0/005",
        "tile/Entries/005",
        "entries/005",
        "tile/0/x018/x446/x744/x073/x709/x551/616",
        "tile/0/x001/x018/x446/x744/x073/x709/x551/615",
        "tile/0/٣٣٣",
        "tile/0/../0",
    ] {
        assert_eq!(text.parse::<TilePath>(), Err(TilePathError), "{text}");
    }
}

#[test]
fn tiles_out_of_range_do_not_exist() {
    assert_eq!(Tile::new(64, 0, 1), None);
    for width in [0, 257] {
        assert_eq!(Tile::new(0, 0, width), None);
        assert_eq!(Bundle::new(0, width), None);
    }
}

proptest! {
    #[test]
    fn paths_are_parsed_as_written(level in 0..=63_u8, index: u64, width in 1..=256_u16) {
        for path in [tile(level, index, width), bundle(index, width)] {
            prop_assert_eq!(path.to_string().parse(), Ok(path));
        }
    }

    #[test]
    fn arbitrary_paths_never_panic(text in "tile/(entries|[0-9]{1,3})(/x?[0-9]{1,4}){0,8}(\\.p/[0-9]{0,6})?") {
        if let Ok(path) = text.parse::<TilePath>() {
            prop_assert_eq!(path.to_string(), text);
        }
    }
}
