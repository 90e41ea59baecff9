//! Audits of a house that signs entries that cannot be true. Each is named with its index.

use glasshouse_transparency::EMPTY_HASH;
use serde_json::Value;

use crate::honest::{FIRST_ROUND, Honest, SECOND, audit, key_line, private_key_of, signing_keys};

const GAMES: [&str; 6] = [
    "dice",
    "crash",
    "stonks",
    "video_poker",
    "heads_up",
    "mines",
];

impl Honest {
    /// Audits a house that has signed these entries.
    #[track_caller]
    fn assert_wrong(&self, lines: &[String], index: usize, texts: &[&str]) {
        let audited = audit(&self.serve(lines));
        audited.assert_contradiction(&[&format!(": entry {index}: ")]);
        audited.assert_contradiction(texts);
    }

    /// Audits a house that has signed one changed entry.
    #[track_caller]
    fn assert_changed(&self, index: usize, changed: &str, texts: &[&str]) {
        assert_ne!(changed, self.lines[index]);
        let mut lines = self.lines.clone();
        changed.clone_into(&mut lines[index]);
        self.assert_wrong(&lines, index, texts);
    }

    /// Audits a house that has signed an additional entry.
    #[track_caller]
    fn assert_added(&self, index: usize, line: &str, texts: &[&str]) {
        let mut lines = self.lines.clone();
        lines.insert(index, line.to_owned());
        self.assert_wrong(&lines, index, texts);
    }
}

#[test]
fn an_honest_log_is_fine() {
    let honest = Honest::new();
    let audited = audit(&honest.serve(&honest.lines));
    let report = audited.assert_fine();
    for game in GAMES {
        assert!(report.contains(&format!("\n{game}")), "{report}");
    }
    let size = honest.lines.len();
    let rounds = size - FIRST_ROUND;
    for text in [
        format!("Verified: {size} entries, {size} of them in this run"),
        format!("Entries: {rounds} rounds, 0 books, 1 keys, rules of version 2"),
        "Words: ".to_owned(),
    ] {
        assert!(report.contains(&text), "{report}");
    }
}

#[test]
fn a_wrong_payout_is_found_in_every_game() {
    let honest = Honest::new();
    for game in GAMES {
        for is_win in [true, false] {
            let index = honest.find(game, |entry| (entry["payout"] != 0) == is_win);
            let payout = honest.number(index, "payout");
            let changed = honest.with_number(index, "payout", payout + 1);
            honest.assert_changed(
                index,
                &changed,
                &["is published as the payout, but $", &changed],
            );
        }
    }
}

#[test]
fn wrong_words_are_found_in_every_game() {
    let honest = Honest::new();
    for game in GAMES {
        let index = honest.find(game, |entry| entry["payout"] != 0);
        let line = &honest.lines[index];
        let (before, words) = line.split_once(r#""words":""#).unwrap();
        let (words, after) = words.split_once('"').unwrap();
        let with = |words: &str| format!(r#"{before}"words":"{words}"{after}"#);
        let surplus = with(&format!("{words}{}", "0".repeat(64)));
        honest.assert_changed(index, &surplus, &["wrong number of blocks"]);
        let missing = with(&words[64..]);
        honest.assert_changed(index, &missing, &[]);
        if game == "dice" {
            // The opposite roll, which loses.
            let inverted: String = words.chars().map(inverted).collect();
            honest.assert_changed(index, &with(&inverted), &["is published as the payout"]);
        }
        honest.assert_changed(index, &with(&words[2..]), &["not an entry of a known kind"]);
    }
}

/// The hexadecimal digit with all bits inverted.
fn inverted(digit: char) -> char {
    char::from_digit(15 - digit.to_digit(16).unwrap(), 16).unwrap()
}

#[test]
fn wrong_stakes_and_terms_are_found() {
    let honest = Honest::new();
    for game in GAMES {
        let index = honest.find(game, |entry| entry["payout"] != 0);
        let stake = honest.number(index, "stake");
        honest.assert_changed(index, &honest.with_number(index, "stake", stake + 500), &[]);
        let more = honest.lines[index].replace(r#""terms":{"#, r#""terms":{"more":1,"#);
        honest.assert_changed(index, &more, &["invalid terms"]);
    }
    let dice = honest.find("dice", |entry| entry["payout"] != 0);
    let entry: Value = serde_json::from_str(&honest.lines[dice]).unwrap();
    let target = format!(r#""target":{}"#, entry["terms"]["target"]);
    for (changed, text) in [
        (r#""target":100"#, "impossible round"),
        (r#""target":"x""#, "invalid terms"),
    ] {
        let changed = honest.lines[dice].replace(&target, changed);
        honest.assert_changed(dice, &changed, &[text]);
    }
}

#[test]
fn only_the_form_of_entries_is_accepted() {
    let honest = Honest::new();
    let index = FIRST_ROUND;
    let line = &honest.lines[index];
    for (changed, text) in [
        (
            line.replace(r#","terms""#, r#", "terms""#),
            "not written in the usual way",
        ),
        (
            line.replace(r#"{"kind":"round""#, r#"{"kind":"wound""#),
            "not an entry of a known kind",
        ),
        (format!("{line} "), "not written in the usual way"),
        (String::new(), "not an entry of a known kind"),
        (
            line.replace(r#""stake":"#, r#""stake":-"#),
            "the entry has an invalid value",
        ),
    ] {
        honest.assert_changed(index, &changed, &[text]);
    }
}

/// A game or a version of the rules that this program does not know is no contradiction.
#[test]
fn what_only_a_newer_program_knows_is_not_judged() {
    let honest = Honest::new();
    for (before, after) in [
        (r#""game":"dice""#, r#""game":"roulette""#),
        (r#""rules":2"#, r#""rules":3"#),
    ] {
        let mut lines = honest.lines.clone();
        lines[FIRST_ROUND] = lines[FIRST_ROUND].replace(before, after);
        assert_ne!(lines, honest.lines);
        let audited = audit(&honest.serve(&lines));
        audited.assert_fault(&format!("entry {FIRST_ROUND} needs a newer version"));
    }
}

fn books(games: &str, second: i64) -> String {
    format!(
        r#"{{"kind":"books","day":"2023-11-13","games":[{games}],"balances":5,"accounts":2,"second":{second}}}"#
    )
}

#[test]
fn books_must_be_the_sums_of_the_rounds_before_them() {
    let honest = Honest::new();
    let stake = honest.number(FIRST_ROUND, "stake");
    let payout = honest.number(FIRST_ROUND, "payout");
    let of_dice = |rounds: i64, stake: i64, payout: i64| {
        let totals = format!(r#""rounds":{rounds},"stake":{stake},"payout":{payout}"#);
        format!(r#"{{"game":"dice",{totals}}}"#)
    };
    let after = FIRST_ROUND + 1;
    let right = of_dice(1, stake, payout);
    for (games, text) in [
        (String::new(), "of dice it states 0 rounds"),
        (of_dice(2, stake, payout), "of dice it states 2 rounds"),
        (
            of_dice(1, stake + 1, payout),
            "but the entries before it add up to 1 rounds",
        ),
        (
            of_dice(1, stake, payout - 1),
            "but the entries before it add up to 1 rounds",
        ),
        (format!("{right},{right}"), "it states dice twice"),
        (
            format!(r#"{right},{{"game":"mines","rounds":1,"stake":1,"payout":0}}"#),
            "of mines it states 1 rounds",
        ),
    ] {
        honest.assert_added(after, &books(&games, SECOND), &[text]);
    }
    let mut lines = honest.lines.clone();
    lines.insert(after, books(&right, SECOND));
    let audited = audit(&honest.serve(&lines));
    assert!(audited.assert_fine().contains(", 1 books"));
    // Once for each day, and only when the day is over.
    lines.insert(after + 1, books(&right, SECOND));
    honest.assert_wrong(&lines, after + 1, &["its day is not over"]);
    let early = books("", SECOND).replace("2023-11-13", "2023-11-14");
    honest.assert_added(0, &early, &["its day is not over"]);
}

#[test]
fn entries_are_in_the_order_of_time() {
    let honest = Honest::new();
    let end = honest.lines.len();
    honest.assert_added(
        end,
        &honest.with_number_last(FIRST_ROUND, SECOND - 601),
        &[&format!(
            "its time is {}, but an entry before it is from {SECOND}",
            SECOND - 601
        )],
    );
    let future = 99_999_999_999;
    honest.assert_added(
        end,
        &honest.with_number_last(FIRST_ROUND, future),
        &[&format!("its time is {future}, but it is ")],
    );
    // Clocks differ a little, and a timed round can end while no server is running.
    let crash = honest.find("crash", |_| true);
    let mut lines = honest.lines.clone();
    lines.push(honest.with_number_last(FIRST_ROUND, SECOND - 600));
    lines.push(honest.with_number_last(crash, SECOND - 100_000));
    audit(&honest.serve(&lines)).assert_fine();
}

impl Honest {
    /// An entry from another time, which is its last field.
    fn with_number_last(&self, index: usize, second: i64) -> String {
        let before = format!(r#""second":{SECOND}}}"#);
        self.lines[index].replace(&before, &format!(r#""second":{second}}}"#))
    }
}

#[test]
fn only_the_first_entry_refers_to_another_log() {
    let honest = Honest::new();
    let restart = format!(
        r#"{{"kind":"restart","origin":"a","size":1,"root":"{EMPTY_HASH}","second":{SECOND}}}"#
    );
    honest.assert_added(1, &restart, &["only the first entry"]);
    let mut lines = honest.lines.clone();
    lines.insert(0, restart);
    let audited = audit(&honest.serve(&lines));
    let text = "The log says that it follows a after 1 entries";
    assert!(audited.assert_fine().contains(text), "{audited:?}");
}

#[test]
fn keys_and_rules_must_be_those_that_the_log_names() {
    let honest = Honest::new();
    let other = signing_keys(&[private_key_of("other.example/glasshouse", 1)]);
    honest.assert_added(
        1,
        &key_line(&other, 0),
        &["it does not name a key of play.example"],
    );
    let nonsense = format!(r#"{{"kind":"key","vkey":"a","second":{SECOND}}}"#);
    honest.assert_added(1, &nonsense, &[]);
    let unnamed = &honest.lines[1..];
    audit(&honest.serve(unnamed)).assert_contradiction(&["no entry of the log names the key"]);

    let changed = Honest {
        rules: honest.rules.replace("99.00", "98.00"),
        ..Honest::new()
    };
    assert_ne!(changed.rules, honest.rules);
    let audited = audit(&changed.serve(&honest.lines));
    audited.assert_contradiction(&["the published rules have the SHA-256", "entry 1 names"]);
}

/// Each entry is valid, but the words of one round in many entries are not random.
#[test]
fn repeated_words_are_found() {
    let honest = Honest::new();
    let mut lines = honest.lines.clone();
    let rounds = lines.split_off(FIRST_ROUND);
    lines.extend(rounds.iter().cycle().take(10 * rounds.len()).cloned());
    let audited = audit(&honest.serve(&lines));
    audited.assert_contradiction(&["are not uniformly distributed: chi-square is"]);
}

/// Each entry is valid, but a house that leaves out what players have won returns too little.
#[test]
fn a_return_that_the_rules_do_not_explain_is_found() {
    let honest = Honest::new();
    let mut lines = honest.lines.clone();
    let dice = honest.find("dice", |entry| entry["payout"] == 0);
    lines.extend(std::iter::repeat_n(lines[dice].clone(), 200));
    let audited = audit(&honest.serve(&lines));
    audited.assert_contradiction(&["dice has returned", "standard deviations"]);
}
