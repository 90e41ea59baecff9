//! Audits that continue where earlier ones ended.

use glasshouse_audit::audit::{Options, run};
use serde_json::Value;
use tempfile::TempDir;

use crate::honest::{
    Audited, FIRST_ROUND, Honest, audit_with, key_line, options, private_key, private_key_of,
    signing_keys,
};
use crate::rounds::play_dice;

#[test]
fn each_entry_is_verified_once_and_the_sums_are_those_of_one_audit() {
    let honest = Honest::new();
    let folder = TempDir::new().unwrap();
    let state = folder.path().join("state");
    let all = honest.lines.len();
    let house = honest.serve(&honest.lines[..3]);
    let mut known = 0;
    for size in [3, 4, 100, all, all] {
        house.replace(&honest.lines[..size], &honest.keys);
        let audited = audit_with(&house, Some(&state), &[]);
        let report = audited.assert_fine();
        let text = format!(
            "Verified: {size} entries, {} of them in this run",
            size - known
        );
        assert!(report.contains(&text), "{report}");
        known = size;
    }
    let continued = audit_with(&house, Some(&state), &[]);
    let whole = Audited(run(&Options {
        from_start: true,
        ..options(&house, Some(&state), &[])
    }));
    let sums = |audited: &Audited| {
        let report = audited.assert_fine();
        report.split_once("Entries: ").unwrap().1.to_owned()
    };
    assert_eq!(sums(&whole), sums(&continued));
    assert!(
        whole
            .assert_fine()
            .contains(&format!("{all} of them in this run"))
    );
}

/// The log has more than one segment, so the state is written in between; what follows is wrong.
#[test]
fn an_audit_continues_after_the_last_segment_that_was_fine() {
    let honest = Honest::of((0..66_000).map(play_dice).collect());
    let folder = TempDir::new().unwrap();
    let state = folder.path().join("state");
    let mut lines = honest.lines.clone();
    let right = lines[65_900].clone();
    lines[65_900] = right.replace(r#""second":"#, r#" "second":"#);
    let house = honest.serve(&lines);
    let audited = audit_with(&house, Some(&state), &[]);
    audited.assert_contradiction(&[": entry 65900: the entry is not written"]);
    let written: Value = serde_json::from_str(&std::fs::read_to_string(&state).unwrap()).unwrap();
    assert_eq!(written["verified"]["size"], 65_536);
    let again = audit_with(&house, Some(&state), &[]);
    again.assert_contradiction(&[": entry 65900: the entry is not written"]);
    let report = again.0.unwrap().report;
    assert!(
        report.contains("Verified: 65536 entries, 0 of them in this run"),
        "{report}"
    );
    // The house cannot take back what it has signed.
    lines[65_900] = right;
    house.replace(&lines, &honest.keys);
    audit_with(&house, Some(&state), &[]).assert_contradiction(&["the log was forked"]);
}

#[test]
fn a_truncated_or_forked_log_is_found_by_its_checkpoint() {
    let honest = Honest::new();
    let folder = TempDir::new().unwrap();
    let state = folder.path().join("state");
    let size = honest.lines.len();
    let house = honest.serve(&honest.lines);
    audit_with(&house, Some(&state), &[]).assert_fine();
    let without = |lines: &[String], index: usize| {
        let mut lines = lines.to_vec();
        lines.remove(index);
        lines
    };
    let mut grown = honest.lines.clone();
    grown.push(grown[FIRST_ROUND].clone());
    let doubled = [grown.as_slice(), &grown].concat();
    let truncated = format!(
        "the log was truncated: it has {} entries, but {size} were signed before, so the entries from \
         {} on are missing",
        size - 1,
        size - 1
    );
    let forked = format!("the log was forked: its first {size} entries");
    for (lines, text) in [
        (honest.lines[..size - 1].to_vec(), &truncated),
        (without(&grown, 3), &forked),
        (without(&doubled, 3), &forked),
    ] {
        house.replace(&lines, &honest.keys);
        let audited = audit_with(&house, Some(&state), &[]);
        audited.assert_contradiction(&[text, "play.example/glasshouse\n"]);
        // It is found again, until the house serves its log again.
        audit_with(&house, Some(&state), &[]).assert_contradiction(&[text]);
    }
    house.put("/log/checkpoint", None);
    let gone = audit_with(&house, Some(&state), &[]);
    gone.assert_contradiction(&["the house serves no log, but has signed this checkpoint"]);
    house.replace(&grown, &honest.keys);
    audit_with(&house, Some(&state), &[]).assert_fine();
}

/// A new key signs along with the former one, which the log names; later it signs alone.
#[test]
fn a_key_that_the_log_names_is_trusted_in_the_next_audit() {
    let honest = Honest::new();
    let folder = TempDir::new().unwrap();
    let state = folder.path().join("state");
    let both = signing_keys(&[private_key(1), private_key(2)]);
    let new = signing_keys(&[private_key(2)]);
    let given: Vec<String> = honest
        .keys
        .verifier_keys()
        .iter()
        .map(str::to_owned)
        .collect();
    let house = honest.serve(&honest.lines);
    let first = audit_with(&house, Some(&state), &given);
    assert!(!first.assert_fine().contains("WARNING"));
    let mut lines = honest.lines.clone();
    lines.push(key_line(&both, 1));
    house.replace(&lines, &both);
    audit_with(&house, Some(&state), &[]).assert_fine();
    house.replace(&lines, &new);
    let last = audit_with(&house, Some(&state), &[]);
    assert!(!last.assert_fine().contains("WARNING"));
    // Nobody vouches for a third one.
    house.replace(&lines, &signing_keys(&[private_key(3)]));
    let refused = audit_with(&house, Some(&state), &[]);
    refused.assert_contradiction(&["the checkpoint is refused: it is not signed"]);
}

#[test]
fn keys_of_the_house_itself_are_trusted_with_a_warning() {
    let honest = Honest::new();
    let folder = TempDir::new().unwrap();
    let state = folder.path().join("state");
    let house = honest.serve(&honest.lines);
    for _ in 0..2 {
        let audited = audit_with(&house, Some(&state), &[]);
        assert!(
            audited
                .assert_fine()
                .contains("WARNING: The key was not compared")
        );
    }
    let given: Vec<String> = honest
        .keys
        .verifier_keys()
        .iter()
        .map(str::to_owned)
        .collect();
    let audited = audit_with(&house, Some(&state), &given);
    assert!(!audited.assert_fine().contains("WARNING"));
    let remembered = audit_with(&house, Some(&state), &[]);
    assert!(!remembered.assert_fine().contains("WARNING"));
}

#[test]
fn unusable_states_and_keys_are_refused() {
    let honest = Honest::new();
    let folder = TempDir::new().unwrap();
    let state = folder.path().join("state");
    let house = honest.serve(&honest.lines);
    audit_with(&house, Some(&state), &[]).assert_fine();
    let other = signing_keys(&[private_key_of("other.example/glasshouse", 1)]);
    let other: Vec<String> = other.verifier_keys().iter().map(str::to_owned).collect();
    audit_with(&house, Some(&state), &other).assert_fault("Use another state file");
    audit_with(&house, None, &other).assert_contradiction(&["not signed by a trusted key"]);
    let nonsense = ["nonsense".to_owned()];
    audit_with(&house, None, &nonsense).assert_fault("The verifier key is not usable");
    for text in ["", "{}", r#"{"format":"other"}"#] {
        std::fs::write(&state, text).unwrap();
        audit_with(&house, Some(&state), &[]).assert_fault("is not the state of an audit");
    }
    let nowhere = folder.path().join("no/folder/state");
    audit_with(&house, Some(&nowhere), &[]).assert_fault("cannot be written");
}
