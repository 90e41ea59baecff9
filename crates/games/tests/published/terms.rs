//! The terms of a published round are one exact text.

use std::borrow::Cow;

use glasshouse_domain::{Game, RulesVersion};
use glasshouse_games::published::{PublishedRound, ReplayError, verify};
use proptest::prelude::*;

use super::support::{Played, RULES, money, play};

/// Verifies the round with other terms.
pub(crate) fn with_terms(published: &PublishedRound<'_>, terms: &str) -> Result<(), ReplayError> {
    let mut changed = published.clone();
    changed.terms = Cow::Owned(terms.to_owned());
    verify(&changed).map(|_| ())
}

#[track_caller]
fn is_refused(published: &PublishedRound<'_>, terms: &str) {
    match with_terms(published, terms) {
        // A missing field is read as one without a value, which may be impossible as well.
        Err(ReplayError::Terms(_) | ReplayError::NotCanonical | ReplayError::Impossible(_)) => {}
        other => panic!("{terms}: {other:?}"),
    }
}

#[test]
fn another_spelling_of_the_same_terms_is_refused() {
    for game in Game::ALL {
        for nonce in 0..50 {
            let Played { published, .. } = play(*game, nonce, RulesVersion::FairCents);
            let terms = &*published.terms;
            with_terms(&published, terms).unwrap();
            let inner = terms.trim_matches(['{', '}']);
            let first_name = inner.split('"').nth(1).unwrap();
            for other in [
                format!(" {terms}"),
                format!("{terms} "),
                format!("{terms}\n"),
                terms.replacen(':', ": ", 1),
                terms.replacen(',', ", ", 1).replacen('}', " }", 1),
                format!("{terms}{{}}"),
                format!("{{{inner},\"player\":7}}"),
                format!("{{\"player\":7,{inner}}}"),
                format!("{{{inner},{inner}}}"),
                terms.replacen(
                    first_name,
                    &format!("\\u00{:x}{}", first_name.as_bytes()[0], &first_name[1..]),
                    1,
                ),
                terms.replacen(first_name, &first_name.to_uppercase(), 1),
                "{}".to_owned(),
                "[]".to_owned(),
                "null".to_owned(),
                String::new(),
            ] {
                is_refused(&published, &other);
            }
        }
    }
}

/// Without one of its fields, or with its fields in another order, the text is another one.
#[test]
fn missing_and_reordered_fields_are_refused() {
    let fields: [(Game, [&str; 3]); 6] = [
        (Game::Dice, ["target", "side", ""]),
        (
            Game::Crash,
            ["curve", "autoCashoutHundredths", "cashoutHundredths"],
        ),
        (Game::Stonks, ["autoSellCents", "soldAtTick", ""]),
        (Game::VideoPoker, ["held", "", ""]),
        (Game::HeadsUp, ["betCents", "action", ""]),
        (Game::Mines, ["mines", "revealed", ""]),
    ];
    for (game, names) in fields {
        for nonce in 0..50 {
            let Played { published, .. } = play(game, nonce, RulesVersion::FairCents);
            let values: serde_json::Value = serde_json::from_str(&published.terms).unwrap();
            let names: Vec<&str> = names.into_iter().filter(|name| !name.is_empty()).collect();
            let written = |names: &[&str]| {
                let fields: Vec<String> = names
                    .iter()
                    .map(|name| format!("\"{name}\":{}", values[name]))
                    .collect();
                format!("{{{}}}", fields.join(","))
            };
            assert_eq!(written(&names), published.terms, "{game:?}");
            let mut reversed = names.clone();
            reversed.reverse();
            if reversed != names {
                is_refused(&published, &written(&reversed));
            }
            for missing in 0..names.len() {
                let mut rest = names.clone();
                rest.remove(missing);
                is_refused(&published, &written(&rest));
            }
        }
    }
}

#[test]
fn numbers_are_written_as_integers() {
    let Played { published, .. } = play(Game::Dice, 49, RulesVersion::FairCents);
    assert!(published.terms.starts_with("{\"target\":50,"));
    for number in [
        "50.0", "5e1", "050", "+50", "\"50\"", "306", "-50", "null", "true",
    ] {
        is_refused(&published, &published.terms.replace("50", number));
    }
}

/// Terms with the right fields and any numbers in them.
fn any_terms() -> impl Strategy<Value = String> {
    let number = prop_oneof![
        any::<i64>().prop_map(|number| number.to_string()),
        (0..300_i64).prop_map(|number| number.to_string()),
        any::<u32>().prop_map(|number| number.to_string()),
        Just("null".to_owned()),
    ];
    let templates = [
        r#"{"target":#,"side":"over"}"#,
        r#"{"curve":"linear","autoCashoutHundredths":#,"cashoutHundredths":#}"#,
        r#"{"curve":"exponential","autoCashoutHundredths":#,"cashoutHundredths":#}"#,
        r#"{"autoSellCents":#,"soldAtTick":#}"#,
        r#"{"held":[#,#]}"#,
        r#"{"betCents":#,"action":"raise"}"#,
        r#"{"mines":#,"revealed":[#,#]}"#,
        "#",
    ];
    let numbers = prop::collection::vec(number, 3);
    (prop::sample::select(templates.to_vec()), numbers).prop_map(|(template, numbers)| {
        numbers.iter().fold(template.to_owned(), |text, number| {
            text.replacen('#', number, 1)
        })
    })
}

proptest! {
    /// Whoever verifies a public record reads what others have written.
    #[test]
    fn no_published_round_makes_the_verifier_fail(
        terms in any_terms(),
        stake in prop_oneof![any::<i64>(), 0..100_000_i64, (0..200_i64).prop_map(|bets| bets * 500)],
        payout in any::<i64>(),
        blocks in prop::collection::vec(any::<[u8; 32]>(), 0..4),
    ) {
        for (game, rules) in Game::ALL.iter().flat_map(|game| RULES.map(|rules| (*game, rules))) {
            let published = PublishedRound {
                game,
                rules,
                stake: money(stake),
                payout: money(payout),
                terms: Cow::Borrowed(&terms),
                blocks: Cow::Borrowed(&blocks),
            };
            // Almost always refused; the payout is almost never right.
            let _ = verify(&published);
        }
    }
}
