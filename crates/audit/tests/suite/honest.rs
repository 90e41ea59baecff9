//! An honest log of rounds of all games, to be changed, and audits of what comes of it.

use std::path::Path;

use glasshouse_audit::Fault;
use glasshouse_audit::audit::{Options, Outcome, run};
use glasshouse_domain::{Game, RulesVersion};
use glasshouse_games::registry::info;
use glasshouse_transparency::entry::{Entry, Key, Rules};
use glasshouse_transparency::keys::{SigningKeys, new_private_key};
use glasshouse_transparency::origin::Origin;
use secrecy::ExposeSecret as _;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use crate::forged_house::ForgedHouse;
use crate::rounds::{Played, play_all};

/// When all entries are from.
pub(crate) const SECOND: i64 = 1_700_000_000;
/// The index of the first round.
pub(crate) const FIRST_ROUND: usize = 2;

/// An honest log with the key of its house.
pub(crate) struct Honest {
    pub(crate) lines: Vec<String>,
    pub(crate) keys: SigningKeys,
    pub(crate) rules: String,
}

/// The private key with this number, of the house of all tests.
pub(crate) fn private_key(number: u8) -> String {
    private_key_of("play.example/glasshouse", number)
}

pub(crate) fn private_key_of(origin: &str, number: u8) -> String {
    new_private_key(&Origin::parse(origin).unwrap(), [number; 32])
        .expose_secret()
        .to_owned()
}

pub(crate) fn signing_keys(lines: &[String]) -> SigningKeys {
    SigningKeys::parse(&lines.join("\n")).unwrap()
}

/// The entry that names a key; `number` counts the keys.
pub(crate) fn key_line(keys: &SigningKeys, number: usize) -> String {
    let vkey = keys.verifier_keys().iter().nth(number).unwrap();
    let entry = Entry::Key(Key {
        vkey: vkey.to_owned(),
        second: SECOND,
    });
    entry.to_line().unwrap()
}

impl Honest {
    pub(crate) fn new() -> Self {
        Self::of(play_all(20))
    }

    /// A log of these rounds.
    pub(crate) fn of(rounds: Vec<Played>) -> Self {
        let keys = signing_keys(&[private_key(1)]);
        let games = Game::ALL
            .iter()
            .map(|game| json!({ "game": game.as_str(), "rtpPercent": info(*game).rtp_percent }));
        let version = RulesVersion::CURRENT.number();
        let games: Vec<Value> = games.collect();
        let rules = json!({ "version": version, "games": games }).to_string();
        let named = Entry::Rules(Rules {
            version: version.into(),
            sha256: Sha256::digest(rules.as_bytes()).into(),
            second: SECOND,
        });
        let mut lines = vec![key_line(&keys, 0), named.to_line().unwrap()];
        lines.extend(rounds.into_iter().map(|round| round.line));
        Self { lines, keys, rules }
    }

    pub(crate) fn serve(&self, lines: &[String]) -> ForgedHouse {
        ForgedHouse::serve(lines, &self.keys, &self.rules)
    }

    /// The index of the first round of a game that `is_wanted`.
    pub(crate) fn find(&self, game: &str, is_wanted: impl Fn(&Value) -> bool) -> usize {
        self.lines
            .iter()
            .position(|line| {
                let entry: Value = serde_json::from_str(line).unwrap();
                entry["game"] == game && is_wanted(&entry)
            })
            .unwrap()
    }

    /// A number in an entry.
    pub(crate) fn number(&self, index: usize, name: &str) -> i64 {
        let entry: Value = serde_json::from_str(&self.lines[index]).unwrap();
        entry[name].as_i64().unwrap()
    }

    /// An entry with another number.
    pub(crate) fn with_number(&self, index: usize, name: &str, number: i64) -> String {
        let before = self.number(index, name);
        self.lines[index].replace(
            &format!(r#""{name}":{before},"#),
            &format!(r#""{name}":{number},"#),
        )
    }
}

/// What came of an audit.
#[derive(Debug)]
pub(crate) struct Audited(pub(crate) Result<Outcome, Fault>);

impl Audited {
    #[track_caller]
    pub(crate) fn assert_fine(&self) -> &str {
        let outcome = self.0.as_ref().unwrap();
        let report = &outcome.report;
        assert!(!outcome.is_contradiction, "{report}");
        assert!(report.contains("No contradiction was found."), "{report}");
        report
    }

    /// A contradiction is reported with all of these texts.
    #[track_caller]
    pub(crate) fn assert_contradiction(&self, texts: &[&str]) {
        let outcome = self.0.as_ref().unwrap();
        assert!(outcome.is_contradiction, "{}", outcome.report);
        let (_, contradiction) = outcome.report.split_once("CONTRADICTION").unwrap();
        for text in texts {
            assert!(contradiction.contains(text), "no {text} in {contradiction}");
        }
    }

    #[track_caller]
    pub(crate) fn assert_fault(&self, text: &str) {
        let fault = self.0.as_ref().unwrap_err().to_string();
        assert!(fault.contains(text), "{fault}");
    }
}

/// An audit that remembers nothing.
pub(crate) fn audit(house: &ForgedHouse) -> Audited {
    audit_with(house, None, &[])
}

pub(crate) fn audit_with(house: &ForgedHouse, state: Option<&Path>, keys: &[String]) -> Audited {
    Audited(run(&options(house, state, keys)))
}

pub(crate) fn options(house: &ForgedHouse, state: Option<&Path>, keys: &[String]) -> Options {
    Options {
        url: house.url().to_owned(),
        state: state.map(Path::to_owned),
        keys: keys.to_vec(),
        witnesses: Vec::new(),
        from_start: false,
    }
}
