//! No published round can be changed: amounts, rules, game, blocks.

use std::collections::BTreeSet;

use glasshouse_domain::{Game, Money, RulesVersion};
use glasshouse_games::fairness::WrongBlocks;
use glasshouse_games::published::{PublishedRound, ReplayError, verify};

use super::support::{Played, RULES, money, play};

const ROUNDS: u64 = 600;
const BLOCK_BITS: usize = 256;

fn rounds(game: Game) -> impl Iterator<Item = Played> {
    (0..ROUNDS).flat_map(move |nonce| RULES.map(|rules| play(game, nonce, rules)))
}

fn refusal(published: &PublishedRound<'_>) -> ReplayError {
    verify(published).expect_err(&format!("verified: {published:?}"))
}

#[test]
fn another_payout_is_refused() {
    for played in Game::ALL.iter().flat_map(|game| rounds(*game)) {
        let right = played.published.payout;
        for wrong in [right.cents() + 1, right.cents() - 1, -1, i64::MIN, i64::MAX] {
            let mut published = played.published.clone();
            published.payout = money(wrong);
            match refusal(&published) {
                ReplayError::Payout {
                    published,
                    computed,
                } => {
                    assert_eq!((published, computed), (money(wrong), right));
                }
                other => panic!("{other}"),
            }
        }
    }
}

/// Where nothing is paid, no stake within the limits contradicts the payout, except in heads-up,
/// where the opening bet is among the terms.
#[test]
fn another_stake_is_refused_if_anything_was_paid() {
    for played in Game::ALL.iter().flat_map(|game| rounds(*game)) {
        let Played { published, end, .. } = played;
        let check = |stake: i64| {
            let mut changed = published.clone();
            changed.stake = money(stake);
            refusal(&changed);
        };
        for outside in [0, -1, i64::MIN, i64::MAX, 1_000_000] {
            check(outside);
        }
        let right = published.stake.cents();
        if published.payout > Money::from_cents(1) || published.game == Game::HeadsUp {
            check(right * 2);
            check(right * 3);
            check(right / 2);
        }
        if end.payout.rounded_down() >= published.stake {
            check(right + 1);
            check(right - 1);
        }
    }
}

#[test]
fn another_game_is_refused() {
    for game in Game::ALL {
        for Played { published, .. } in rounds(*game).take(20) {
            for other in Game::ALL.iter().filter(|other| *other != game) {
                let mut changed = published.clone();
                changed.game = *other;
                assert!(matches!(refusal(&changed), ReplayError::Terms(_)));
            }
        }
    }
}

/// The version only decides about a fraction of a cent, and shows in the block for it.
#[test]
fn other_rules_are_refused_if_there_is_a_fraction_of_a_cent() {
    for game in Game::ALL {
        for Played {
            mut published, end, ..
        } in rounds(*game)
        {
            let (other, expected) = match published.rules {
                RulesVersion::RoundedDown => (RulesVersion::FairCents, WrongBlocks::Missing),
                RulesVersion::FairCents => (RulesVersion::RoundedDown, WrongBlocks::Surplus),
            };
            published.rules = other;
            if end.payout.is_whole() {
                verify(&published).unwrap();
                continue;
            }
            match refusal(&published) {
                ReplayError::Blocks(reason) => assert_eq!(reason, expected),
                other => panic!("{other}"),
            }
        }
    }
}

#[test]
fn missing_and_surplus_blocks_are_refused() {
    for Played { published, .. } in Game::ALL.iter().flat_map(|game| rounds(*game)) {
        let check = |change: &dyn Fn(&mut Vec<[u8; 32]>)| {
            let mut changed = published.clone();
            change(changed.blocks.to_mut());
            match refusal(&changed) {
                ReplayError::Blocks(reason) => reason,
                other => panic!("{other}: {published:?}"),
            }
        };
        assert_eq!(check(&|blocks| blocks.clear()), WrongBlocks::Missing);
        assert_eq!(check(&|blocks| blocks.push([0; 32])), WrongBlocks::Surplus);
        assert_eq!(
            check(&|blocks| blocks.push(blocks[0])),
            WrongBlocks::Surplus
        );
        let last = published.blocks.len() - 1;
        assert_eq!(check(&|blocks| blocks.truncate(last)), WrongBlocks::Missing);
    }
}

/// The words of each game that decide something in every round, or in some.
fn deciding_words(game: Game) -> BTreeSet<usize> {
    match game {
        Game::Dice | Game::Crash => BTreeSet::from([0]),
        Game::VideoPoker => (0..10).collect(),
        Game::HeadsUp => (0..9).collect(),
        // Of the first three blocks; mines never need more.
        Game::Stonks | Game::Mines => (0..24).collect(),
    }
}

/// Changing the highest bit of a word that decides something is refused, in some rounds at least,
/// and changing a word that decides nothing never is.
#[test]
fn every_word_that_decides_something_is_checked() {
    for game in Game::ALL {
        let mut noticed = BTreeSet::new();
        for Played { published, end, .. } in rounds(*game) {
            let is_fair = published.rules == RulesVersion::FairCents;
            let has_cent = is_fair && !end.payout.is_whole();
            let drawn = published.blocks.len() - usize::from(has_cent);
            for word in 0..8 * drawn.min(3) {
                let mut changed = published.clone();
                changed.blocks.to_mut()[word / 8][word % 8 * 4] ^= 0x80;
                if verify(&changed).is_err() {
                    noticed.insert(word);
                }
            }
        }
        assert_eq!(noticed, deciding_words(*game), "{game:?}");
    }
}

/// Each bit of the roll's word that moves the roll to a losing number is refused.
#[test]
fn every_bit_that_changes_the_roll_is_checked() {
    let mut refused = BTreeSet::new();
    for Played { published, .. } in
        rounds(Game::Dice).filter(|played| !played.published.payout.is_zero())
    {
        let word = |block: &[u8; 32]| u32::from_be_bytes([block[0], block[1], block[2], block[3]]);
        let roll = |block: &[u8; 32]| (u64::from(word(block)) * 100) >> 32;
        for bit in 0..BLOCK_BITS {
            let mut changed = published.clone();
            let block = &mut changed.blocks.to_mut()[0];
            block[bit / 8] ^= 0x80 >> (bit % 8);
            if roll(block) == roll(&published.blocks[0]) {
                verify(&changed).unwrap();
            } else if verify(&changed).is_err() {
                refused.insert(bit);
            }
        }
    }
    // A roll is a range of 43 million words, so that a bit worth 2^26 or more always changes it.
    assert!((0..6).all(|bit| refused.contains(&bit)), "{refused:?}");
    assert!(refused.iter().all(|bit| *bit < 32), "{refused:?}");
}

/// Of the cent's block only the first word decides.
#[test]
fn the_block_of_the_cent_is_checked() {
    for game in [Game::Dice, Game::Crash, Game::Stonks, Game::Mines] {
        let mut noticed = BTreeSet::new();
        let fractions = rounds(game).filter(|played| {
            played.published.rules == RulesVersion::FairCents && !played.end.payout.is_whole()
        });
        for Played { published, .. } in fractions {
            for word in 0..8 {
                let mut changed = published.clone();
                let last = changed.blocks.len() - 1;
                changed.blocks.to_mut()[last][word * 4] ^= 0x80;
                match verify(&changed) {
                    Ok(_) => {}
                    Err(ReplayError::Payout { .. }) => {
                        noticed.insert(word);
                    }
                    Err(other) => panic!("{other}"),
                }
            }
        }
        assert_eq!(noticed, BTreeSet::from([0]), "{game:?}");
    }
}
