//! The published rounds that other implementations are tested against.

use std::fmt::Write as _;

use glasshouse_domain::{Game, RulesVersion};
use glasshouse_games::fairness::{Block, ClientSeed, RoundSeeds, ServerSeed};
use glasshouse_games::game_round::{GameRound as _, payout_in_cents};
use glasshouse_games::published::{PublishedRound, verify};
use glasshouse_games::with_game;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::support::{Played, money, play, seeds};

/// Published rounds with their seeds, and changed rounds that must be refused.
const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/vectors/published.json");
/// If this variable is set, the file is written instead of compared.
const WRITE_VARIABLE: &str = "GLASSHOUSE_WRITE_PUBLISHED";
const ROUNDS: u64 = 24;

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Vectors {
    server_seed: String,
    client_seed: String,
    rounds: Vec<Row>,
    refused: Vec<Row>,
}

#[derive(Serialize, Deserialize)]
struct Row {
    game: String,
    nonce: u64,
    rules: u8,
    stake: i64,
    payout: i64,
    terms: Box<RawValue>,
    words: String,
}

impl Row {
    fn new(nonce: u64, published: &PublishedRound<'_>) -> Self {
        Self {
            game: published.game.as_str().to_owned(),
            nonce,
            rules: published.rules.number(),
            stake: published.stake.cents(),
            payout: published.payout.cents(),
            terms: RawValue::from_string(published.terms.clone().into_owned()).unwrap(),
            words: hex::encode(published.blocks.concat()),
        }
    }

    fn published(&self) -> PublishedRound<'_> {
        let bytes = hex::decode(&self.words).unwrap();
        let (blocks, rest) = bytes.as_chunks::<32>();
        assert!(rest.is_empty());
        PublishedRound {
            game: Game::parse(&self.game).unwrap(),
            rules: RulesVersion::of_number(self.rules.into()).unwrap(),
            stake: money(self.stake),
            payout: money(self.payout),
            terms: self.terms.get().into(),
            blocks: blocks.to_vec().into(),
        }
    }
}

fn published(game: Game, nonce: u64) -> PublishedRound<'static> {
    let rules = if nonce % 6 == 5 {
        RulesVersion::RoundedDown
    } else {
        RulesVersion::FairCents
    };
    play(game, nonce, rules).published
}

fn rounds() -> Vec<Row> {
    let games = Game::ALL.iter();
    games
        .flat_map(|game| (0..ROUNDS).map(|nonce| Row::new(nonce, &published(*game, nonce))))
        .collect()
}

/// Rounds with one change each.
fn refused() -> Vec<Row> {
    Game::ALL.iter().flat_map(|game| changes(*game)).collect()
}

/// The first paid round of a game, with a fraction of a cent if the game has any, and one change.
fn changes(game: Game) -> Vec<Row> {
    let has_fractions = !matches!(game, Game::VideoPoker | Game::HeadsUp);
    let nonce = (0..ROUNDS).find(|nonce| {
        let Played { published, end, .. } = play(game, *nonce, RulesVersion::FairCents);
        !published.payout.is_zero() && end.payout.is_whole() != has_fractions
    });
    let nonce = nonce.unwrap();
    let original = play(game, nonce, RulesVersion::FairCents).published;
    let blocks = &*original.blocks;
    let with_blocks = |blocks: Vec<Block>| PublishedRound {
        blocks: blocks.into(),
        ..original.clone()
    };
    let mut changed = vec![
        PublishedRound {
            payout: money(original.payout.cents() + 1),
            ..original.clone()
        },
        PublishedRound {
            stake: money(original.stake.cents() * 2),
            ..original.clone()
        },
        with_blocks(blocks[1..].to_vec()),
        with_blocks([blocks, &[[0; 32]]].concat()),
        with_blocks(Vec::new()),
    ];
    for terms in changed_terms(game, &original.terms) {
        changed.push(PublishedRound {
            terms: terms.into(),
            ..original.clone()
        });
    }
    changed.iter().map(|round| Row::new(nonce, round)).collect()
}

/// Terms that the rules do not allow in any round, or not as the only change.
fn changed_terms(game: Game, terms: &str) -> Vec<String> {
    let list = |changes: &[&str]| changes.iter().map(|text| (*text).to_owned()).collect();
    let mut changed: Vec<String> = match game {
        Game::Dice => list(&[
            r#"{"target":0,"side":"under"}"#,
            r#"{"target":99,"side":"over"}"#,
            r#"{"target":50.5,"side":"over"}"#,
            r#"{"target":50,"side":"above"}"#,
            r#"{"target":"50","side":"over"}"#,
        ]),
        Game::Crash => list(&[
            r#"{"curve":"linear","autoCashoutHundredths":null,"cashoutHundredths":null}"#,
            r#"{"curve":"linear","autoCashoutHundredths":null,"cashoutHundredths":99}"#,
            r#"{"curve":"linear","autoCashoutHundredths":null,"cashoutHundredths":10001}"#,
            r#"{"curve":"linear","autoCashoutHundredths":100,"cashoutHundredths":100}"#,
            r#"{"curve":"linear","autoCashoutHundredths":101,"cashoutHundredths":102}"#,
            r#"{"curve":"wild","autoCashoutHundredths":null,"cashoutHundredths":101}"#,
        ]),
        Game::Stonks => list(&[
            r#"{"autoSellCents":null,"soldAtTick":null}"#,
            r#"{"autoSellCents":null,"soldAtTick":0}"#,
            r#"{"autoSellCents":null,"soldAtTick":-1}"#,
            r#"{"autoSellCents":null,"soldAtTick":241}"#,
            r#"{"autoSellCents":1,"soldAtTick":1}"#,
        ]),
        Game::VideoPoker => list(&[
            r#"{"held":[5]}"#,
            r#"{"held":[-1]}"#,
            r#"{"held":[0,0]}"#,
            r#"{"held":[4,3,2,1,0]}"#,
            r#"{"held":null}"#,
        ]),
        Game::HeadsUp => list(&[
            r#"{"betCents":500,"action":"check"}"#,
            r#"{"betCents":0,"action":"fold"}"#,
            r#"{"betCents":501,"action":"call"}"#,
            r#"{"betCents":500,"action":null}"#,
        ]),
        Game::Mines => list(&[
            r#"{"mines":0,"revealed":[0]}"#,
            r#"{"mines":25,"revealed":[0]}"#,
            r#"{"mines":3,"revealed":[]}"#,
            r#"{"mines":3,"revealed":[25]}"#,
            r#"{"mines":3,"revealed":[0,0]}"#,
        ]),
    };
    let inner = terms.trim_matches(['{', '}']);
    changed.push(format!("{{{inner},\"player\":7}}"));
    changed.push("{}".to_owned());
    changed
}

/// One round a line.
fn as_text(rows: &[Row]) -> String {
    let lines: Vec<String> = rows
        .iter()
        .map(|row| format!("  {}", serde_json::to_string(row).unwrap()))
        .collect();
    lines.join(",\n")
}

#[test]
fn the_published_rounds_keep_their_text() {
    let RoundSeeds {
        server_seed,
        client_seed,
        ..
    } = seeds(0);
    let mut text = String::from("{\n");
    writeln!(text, " \"serverSeed\": \"{}\",", server_seed.as_str()).unwrap();
    writeln!(text, " \"clientSeed\": \"{}\",", client_seed.as_str()).unwrap();
    writeln!(text, " \"rounds\": [\n{}\n ],", as_text(&rounds())).unwrap();
    writeln!(text, " \"refused\": [\n{}\n ]\n}}", as_text(&refused())).unwrap();
    if std::env::var_os(WRITE_VARIABLE).is_some() {
        std::fs::write(FILE, &text).unwrap();
    }
    let stored = std::fs::read_to_string(FILE).unwrap();
    assert!(
        stored == text,
        "{FILE} has other rounds. What was published must remain verifiable, so change it only with \
         new rules or a new game: {WRITE_VARIABLE}=1 cargo nextest run --workspace -E \
         'test(the_published_rounds)'"
    );
}

/// The file as other implementations use it: from seeds and terms to words and payout.
#[test]
fn the_stored_rounds_are_verified_and_follow_from_their_seeds() {
    let vectors: Vectors = serde_json::from_str(&std::fs::read_to_string(FILE).unwrap()).unwrap();
    assert_eq!(vectors.rounds.len(), Game::ALL.len() * 24);
    let server_seed = ServerSeed::from_text(vectors.server_seed).unwrap();
    let client_seed = ClientSeed::parse(&vectors.client_seed).unwrap();
    for row in &vectors.rounds {
        let seeds = RoundSeeds {
            server_seed: server_seed.clone(),
            client_seed: client_seed.clone(),
            nonce: row.nonce,
        };
        let published = row.published();
        verify(&published).unwrap();
        let stream = with_game!(published.game, R => {
            let mut stream = seeds.stream();
            let terms = serde_json::from_str(row.terms.get()).unwrap();
            let (_, end) = R::replay(published.stake, terms, &mut stream).unwrap();
            let payout = payout_in_cents(&end, published.rules, &mut stream);
            assert_eq!(payout, published.payout);
            stream
        });
        assert_eq!(hex::encode(stream.blocks().concat()), row.words);
    }
    for row in &vectors.refused {
        assert!(
            verify(&row.published()).is_err(),
            "{} {}",
            row.game,
            row.terms
        );
    }
}
