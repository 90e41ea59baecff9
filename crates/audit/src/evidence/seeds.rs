//! Revealed seeds, compared with their commitments and with the words of the rounds in the log.
//!
//! The house does not sign the answer that reveals a seed. What is signed are the hash of the seed in
//! the receipts, the client seed in the receipt of the pair, and the words of each round in the log.
//! So a revealed seed is judged by whether it gives those words: nobody but the house can know a seed
//! that gives them.

use glasshouse_games::fairness::{Block, ClientSeed, RoundSeeds, ServerSeed};
use glasshouse_transparency::receipt::{Receipt, SeedHash, Statement};

use crate::evidence::entries::{LoggedRounds, settled};
use crate::evidence::file::RevealedPair;
use crate::evidence::finding::{Finding, Placed};
use crate::evidence::named::{about, rounds_of_pair};
use crate::evidence::receipts::is_round_before;

/// Finds seeds that do not fit their hashes or the rounds.
pub(crate) fn contradictions(
    pairs: &[Placed<RevealedPair>],
    receipts: &[Placed<Receipt>],
    logged: &LoggedRounds,
) -> Vec<Finding> {
    pairs
        .iter()
        .filter_map(|pair| contradiction(pair, receipts, logged))
        .collect()
}

fn contradiction(
    pair: &Placed<RevealedPair>,
    receipts: &[Placed<Receipt>],
    logged: &LoggedRounds,
) -> Option<Finding> {
    let RevealedPair {
        server_seed,
        stated_hash,
        ..
    } = &pair.value;
    let computed = server_seed.hash();
    let has_stated_hash = computed == *stated_hash;
    let hash = SeedHash::parse(stated_hash)?;
    for (receipt, round, _, entry) in settled(receipts).filter(|(_, round, ..)| round.pair == hash)
    {
        let Some(words) = logged.get(entry).and_then(|logged| logged.round.as_ref()) else {
            continue;
        };
        let Some((client_seed, is_final)) = client_seed(&pair.value, receipts, hash) else {
            continue;
        };
        let gives_words = gives(server_seed, &client_seed, round.nonce, &words.words);
        if gives_words == has_stated_hash {
            continue;
        }
        let places = [pair.place.clone(), receipt.place.clone()];
        return Some(if gives_words {
            Finding::proof(
                places,
                format!(
                    "{}it was played with the seed {}, whose hash is {computed} and not the \
                     committed one:\n{}",
                    about([round.round]),
                    server_seed.as_str(),
                    receipt.value
                ),
            )
        } else {
            let text = format!(
                "{}the words in the log are not those of the committed seed {} with the client seed {}:\n{}",
                about([round.round]),
                server_seed.as_str(),
                client_seed.as_str(),
                receipt.value
            );
            if is_final {
                Finding::proof(places, text)
            } else {
                Finding::claim(
                    places,
                    format!(
                        "{text}\n(no receipt proves that the client seed was not replaced before the \
                         first round)"
                    ),
                )
            }
        });
    }
    (!has_stated_hash).then(|| {
        Finding::claim(
            [pair.place.clone()],
            format!(
                "{}the seed {} has the hash {computed}, not {stated_hash}. The house does not sign the \
                 seeds that it reveals, so this proves it only to those who received the answer \
                 themselves",
                about(rounds_of_pair(receipts, hash)),
                server_seed.as_str()
            ),
        )
    })
}

/// The client seed of a pair, and whether what the house has signed proves that the rounds were played
/// with it. Until the first round, the player can choose another one, and could leave out the receipt
/// of that; so only a receipt from after a round does.
fn client_seed(
    pair: &RevealedPair,
    receipts: &[Placed<Receipt>],
    hash: SeedHash,
) -> Option<(ClientSeed, bool)> {
    let signed = receipts
        .iter()
        .filter_map(|receipt| match &receipt.value.statement {
            Statement::Pair(pair) if pair.server_seed_hash == hash => {
                Some((receipt.value.time, &pair.client_seed))
            }
            _ => None,
        })
        .max_by_key(|(time, _)| *time);
    let Some((time, seed)) = signed else {
        return Some((pair.client_seed.clone()?, false));
    };
    let is_final = receipts
        .iter()
        .any(|receipt| is_round_before(&receipt.value, hash, time));
    Some((ClientSeed::parse(seed.as_str()).ok()?, is_final))
}

/// Whether the blocks of a published round are those of its seeds: the first ones of the stream, and
/// possibly the block of the cent after them.
fn gives(server_seed: &ServerSeed, client_seed: &ClientSeed, nonce: u64, words: &[Block]) -> bool {
    let seeds = RoundSeeds {
        server_seed: server_seed.clone(),
        client_seed: client_seed.clone(),
        nonce,
    };
    let blocks = |count: usize, has_cent: bool| {
        let mut stream = seeds.stream();
        for _ in 0..count * WORDS_PER_BLOCK {
            stream.next_word();
        }
        if has_cent {
            stream.cent_word();
        }
        stream.blocks()
    };
    let without_cent = words.len().saturating_sub(1);
    !words.is_empty()
        && (blocks(words.len(), false) == words || blocks(without_cent, true) == words)
}

/// The number of words of a block of 32 bytes.
const WORDS_PER_BLOCK: usize = 8;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_recognized_with_and_without_the_block_of_the_cent() {
        let server = ServerSeed::from_bytes([7; 32]);
        let client = ClientSeed::parse("client").unwrap();
        let seeds = RoundSeeds {
            server_seed: server.clone(),
            client_seed: client.clone(),
            nonce: 3,
        };
        for (words, has_cent) in [(1, false), (9, false), (8, true), (0, true)] {
            let mut stream = seeds.stream();
            for _ in 0..words {
                stream.next_word();
            }
            if has_cent {
                stream.cent_word();
            }
            let blocks = stream.blocks();
            assert!(gives(&server, &client, 3, &blocks), "{words} {has_cent}");
            assert!(!gives(&server, &client, 4, &blocks));
            let other = ServerSeed::from_bytes([8; 32]);
            assert!(!gives(&other, &client, 3, &blocks));
        }
        assert!(!gives(&server, &client, 3, &[]));
    }
}
