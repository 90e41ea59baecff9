//! What is published of a round can be verified, and is what decided the round.

use std::collections::BTreeSet;

use glasshouse_domain::{Game, RoundResult, RulesVersion};
use glasshouse_games::fairness::{Block, Stream, WrongBlocks};
use glasshouse_games::published::verify;

use super::support::{Played, RULES, play, seeds};

const ROUNDS: u64 = 2_000;

#[test]
fn every_round_is_verified_from_what_is_published_of_it() {
    for game in Game::ALL {
        for (nonce, rules) in (0..ROUNDS).flat_map(|nonce| RULES.map(|rules| (nonce, rules))) {
            let played = play(*game, nonce, rules);
            let context = format!("{game:?} {nonce} {rules:?} {}", played.published.terms);
            assert_eq!(played.published.game, *game);
            let replay = verify(&played.published).expect(&context);
            assert_eq!(replay.result, played.end.result, "{context}");
            assert_eq!(replay.multiplier, played.end.multiplier, "{context}");
            assert_eq!(replay.spread, played.spread, "{context}");
        }
    }
}

/// Otherwise the tests here would prove less than they seem to.
#[test]
fn the_strategies_reach_every_kind_of_end() {
    for game in Game::ALL {
        let mut ends = BTreeSet::new();
        let mut block_counts = BTreeSet::new();
        for nonce in 0..ROUNDS {
            let Played { published, end, .. } = play(*game, nonce, RulesVersion::FairCents);
            let has_cent = !end.payout.is_whole();
            ends.insert((end.result.as_str(), has_cent));
            block_counts.insert(published.blocks.len() - usize::from(has_cent));
        }
        let results: BTreeSet<&str> = ends.iter().map(|(result, _)| *result).collect();
        let mut expected =
            BTreeSet::from([RoundResult::Win, RoundResult::Loss].map(RoundResult::as_str));
        if *game == Game::HeadsUp {
            expected.insert(RoundResult::Push.as_str());
        }
        assert_eq!(results, expected, "{game:?}");
        let has_fractions = !matches!(game, Game::VideoPoker | Game::HeadsUp);
        assert_eq!(ends.contains(&("win", true)), has_fractions, "{game:?}");
        assert!(ends.contains(&("win", false)), "{game:?}");
        let counts: Vec<usize> = block_counts.into_iter().collect();
        match game {
            Game::Dice | Game::Crash => assert_eq!(counts, [1]),
            Game::VideoPoker | Game::HeadsUp => assert_eq!(counts, [2]),
            Game::Mines => assert_eq!(counts, [1, 2, 3]),
            Game::Stonks => assert!(
                counts.len() > 20 && counts.last() == Some(&60),
                "{counts:?}"
            ),
        }
    }
}

#[test]
fn the_blocks_are_those_of_the_stream_and_then_that_of_the_cent() {
    let first_word = |block: &Block| u32::from_be_bytes([block[0], block[1], block[2], block[3]]);
    for (game, nonce) in Game::ALL
        .iter()
        .flat_map(|game| (0..200).map(move |nonce| (*game, nonce)))
    {
        let played = play(game, nonce, RulesVersion::FairCents);
        let mut blocks = played.published.blocks.into_owned();
        let mut stream = seeds(nonce).stream();
        if !played.end.payout.is_whole() {
            assert_eq!(
                blocks.pop().map(|block| first_word(&block)),
                Some(stream.cent_word())
            );
        }
        for bytes in blocks
            .iter()
            .flatten()
            .copied()
            .collect::<Vec<u8>>()
            .chunks(4)
        {
            let word = u32::from_be_bytes(bytes.try_into().unwrap());
            assert_eq!(word, stream.next_word(), "{game:?} {nonce}");
        }
    }
}

/// A restored round publishes the same as the one that was played.
#[test]
fn a_stream_keeps_what_was_drawn_from_it() {
    let mut stream = seeds(3).stream();
    assert!(stream.blocks().is_empty());
    let words: Vec<u32> = (0..9).map(|_| stream.next_word()).collect();
    assert_eq!(stream.blocks().len(), 2);
    let cent = stream.cent_word();
    assert_eq!((stream.blocks().len(), stream.cent_word()), (3, cent));
    assert_eq!(stream.check_published(), Ok(()));

    let mut published = Stream::from_blocks(stream.blocks());
    assert!(words.iter().all(|word| *word == published.next_word()));
    assert_eq!(published.check_published(), Err(WrongBlocks::Surplus));
    assert_eq!((published.cent_word(), published.cent_word()), (cent, cent));
    assert_eq!(published.check_published(), Ok(()));
    assert_eq!(published.blocks(), stream.blocks());

    for blocks in [vec![], vec![[1; 32]], vec![[1; 32]; 2]] {
        let mut short = Stream::from_blocks(blocks);
        assert!((0..17).map(|_| short.next_word()).last() == Some(0));
        assert_eq!(short.check_published(), Err(WrongBlocks::Missing));
    }
    let mut short = Stream::from_blocks(vec![[1; 32]]);
    assert_eq!((short.next_word(), short.cent_word()), (0x0101_0101, 0));
    assert_eq!(short.check_published(), Err(WrongBlocks::Missing));
}
