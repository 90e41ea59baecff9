//! What a player's browser has seen the house answer, compared with what the house has signed.
//!
//! The house does not sign its answers, so whatever is found here is a claim.

use glasshouse_domain::Money;
use glasshouse_transparency::keys::VerifierKeys;
use glasshouse_transparency::receipt::{
    Receipt, RoundStatement, SeedHash, SignedReceipt, Statement,
};
use serde_json::Value;

use crate::evidence::entries::settled;
use crate::evidence::file::{Evidence, NoticedFailure, SeenAnswer};
use crate::evidence::finding::{Finding, Placed};
use crate::evidence::named::{about, rounds_of_pair};

const UNSIGNED: &str = "The house does not sign such answers, so this convinces only those who have \
                        seen the answer themselves";

/// Finds answers that contradict what the house has signed.
pub(crate) fn claims(evidence: &Evidence, receipts: &[Placed<Receipt>]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for failure in &evidence.failures {
        let answers = failure.answers.iter();
        findings.extend(answers.filter_map(|answer| about_round(failure, answer, receipts)));
        findings.extend(about_pair(failure, receipts));
    }
    findings
}

/// Finds receipts that a browser has noticed because their signature does not hold.
pub(crate) fn unsigned_receipts(
    receipts: &[Placed<SignedReceipt>],
    keys: &VerifierKeys,
) -> Vec<Finding> {
    receipts
        .iter()
        .filter(|receipt| receipt.place.starts_with("failure "))
        .filter_map(|Placed { place, value }| {
            let reason = value.verify(keys).err()?;
            let id = value
                .text
                .lines()
                .find_map(|line| line.strip_prefix("subject round ")?.parse().ok());
            let text = format!(
                "{}the house is said to have given a receipt that does not hold: {reason}. {UNSIGNED}",
                about(id)
            );
            Some(Finding::claim([place.clone()], text))
        })
        .collect()
}

fn claim<'p>(
    failure: &NoticedFailure,
    receipts: impl IntoIterator<Item = &'p Placed<Receipt>>,
    text: &str,
) -> Finding {
    let receipts: Vec<_> = receipts.into_iter().collect();
    let mut text = format!("{text}. {UNSIGNED}");
    for receipt in &receipts {
        text.push('\n');
        text.push_str(&receipt.value.to_string());
    }
    let places = receipts.iter().map(|receipt| receipt.place.clone());
    Finding::claim([failure.place.clone()].into_iter().chain(places), text)
}

/// The round that an answer is about: it is in the path, or in the entry of a list.
fn round_in(answer: &SeenAnswer) -> Option<i64> {
    let in_path = answer.path.strip_prefix("/api/rounds/").and_then(|rest| {
        let number = rest.split('/').next()?;
        number.parse().ok()
    });
    in_path.or_else(|| answer.body.get("id")?.as_i64())
}

fn about_round(
    failure: &NoticedFailure,
    answer: &SeenAnswer,
    receipts: &[Placed<Receipt>],
) -> Option<Finding> {
    let id = round_in(answer)?;
    let SeenAnswer { path, status, body } = answer;
    let said = format!("the house is said to have answered {path} with status {status}");
    let found = settled(receipts)
        .find(|(_, round, ..)| round.round == id)
        .map(|(receipt, round, payout, _)| (receipt, round, payout));
    let named = about([id]);
    if *status != 200 {
        let text = match found {
            Some(_) => format!("{named}{said}, although it has signed this receipt"),
            None => format!("{named}{said}, and no receipt of it is in this file"),
        };
        return Some(claim(failure, found.map(|(receipt, ..)| receipt), &text));
    }
    let (receipt, round, payout) = found?;
    let differences = differences(body, round, payout);
    let text = format!(
        "{named}{said} and {}, which is not what it has signed",
        differences.join(" and ")
    );
    (!differences.is_empty()).then(|| claim(failure, [receipt], &text))
}

/// Where a round as the house shows it says something else than its receipt.
fn differences(body: &Value, round: &RoundStatement, payout: i64) -> Vec<String> {
    let text = |name: &str| body.get(name).and_then(Value::as_str);
    let nonce = body.get("nonce").and_then(Value::as_u64);
    let mut found = Vec::new();
    let mut compare = |name: &str, shown: Option<&str>, signed: &str| {
        if let Some(shown) = shown.filter(|shown| *shown != signed) {
            found.push(format!("the {name} {shown} instead of {signed}"));
        }
    };
    let amount = |cents| Money::from_cents(cents).to_string();
    compare("stake", text("betAmount"), &amount(round.stake));
    compare("payout", text("winAmount"), &amount(payout));
    let nonce = nonce.map(|nonce| nonce.to_string());
    compare("nonce", nonce.as_deref(), &round.nonce.to_string());
    compare("pair", text("serverSeedHash"), &round.pair.to_string());
    found
}

/// A seed pair that was shown in another way than before.
fn about_pair(failure: &NoticedFailure, receipts: &[Placed<Receipt>]) -> Option<Finding> {
    let (before, now) = failure.shown.as_ref()?;
    let text = |value: &Value, name: &str| value.get(name)?.as_str().map(str::to_owned);
    let hash = SeedHash::parse(&text(before, "serverSeedHash")?)?;
    let (what, before, now) = if let Some(active) = text(now, "active") {
        let next = text(before, "nextServerSeedHash")?;
        ("seed pair", next, successor(now, hash).unwrap_or(active))
    } else {
        let differing = |what, name| {
            let (before, now) = (text(before, name)?, text(now, name)?);
            (before != now).then_some((what, before, now))
        };
        differing("next server seed", "nextServerSeedHash")
            .or_else(|| differing("client seed", "clientSeed"))?
    };
    if before == now {
        return None;
    }
    let pair = receipts.iter().find(
        |receipt| matches!(&receipt.value.statement, Statement::Pair(pair) if pair.server_seed_hash == hash),
    );
    let named = about(rounds_of_pair(receipts, hash));
    let text = format!(
        "{named}the house is said to have shown the {what} {now} with or after the pair {hash}, but \
         {before} before"
    );
    Some(claim(failure, pair, &text))
}

/// The pair that follows another one in a list of revealed pairs, newest first.
fn successor(shown: &Value, pair: SeedHash) -> Option<String> {
    let former = shown.get("former")?.as_array()?;
    let hash_of = |value: &Value| Some(value.get("serverSeedHash")?.as_str()?.to_owned());
    let hash = pair.to_string();
    let place = former
        .iter()
        .position(|shown| hash_of(shown).as_deref() == Some(hash.as_str()))?;
    hash_of(former.get(place.checked_sub(1)?)?)
}
