//! Evaluates a file of evidence against the house's key and its log.

use std::path::Path;
use std::sync::Arc;

use glasshouse_transparency::keys::VerifierKeys;
use glasshouse_transparency::receipt::{Receipt, SignedReceipt};

use crate::audit::{
    Failure, Options, Outcome, State, now, runtime, served_checkpoint, trusted_keys,
};
use crate::evidence::entries::LoggedRounds;
use crate::evidence::file::Evidence;
use crate::evidence::finding::{Finding, Placed, merged};
use crate::evidence::named::{about, round_of};
use crate::evidence::report::{Judged, Report};
use crate::evidence::{answers, checkpoints, receipts, seeds};
use crate::fault::Fault;
use crate::log::HouseConnection;

/// Evaluates a player's evidence.
///
/// # Errors
/// If the evidence or the house's log cannot be read.
pub fn evaluate(options: &Options, file: &Path) -> Result<Outcome, Fault> {
    runtime()?.block_on(evaluate_file(options, file))
}

async fn evaluate_file(options: &Options, file: &Path) -> Result<Outcome, Fault> {
    let evidence = Evidence::read(file)?;
    let house = Arc::new(HouseConnection::new(&options.url)?);
    let state = options.state.as_deref().map(State::read);
    let state = state.transpose()?.flatten();
    let trusted = trusted_keys(&house, &options.keys, state.as_ref()).await?;
    let (genuine, invalid) = sort(&evidence.receipts, &trusted.keys);
    let mut claims = answers::claims(&evidence, &genuine);
    claims.extend(answers::unsigned_receipts(
        &evidence.receipts,
        &trusted.keys,
    ));
    let mut report = Report::new(&evidence, &trusted, invalid);
    match judge(&evidence, &genuine, &house, &trusted.keys).await {
        Ok(judged) => report.add(judged),
        // Somebody who evaluates evidence must learn that the log itself is wrong.
        Err(Failure::Contradiction(contradiction)) => {
            report.findings = receipts::contradictions(&genuine);
            let rounds = genuine
                .iter()
                .filter_map(|receipt| round_of(&receipt.value));
            let text = format!("{}{contradiction}", about(rounds));
            report.findings.push(Finding::proof([], text));
        }
        Err(Failure::Fault(fault)) => return Err(fault),
    }
    report.findings.extend(claims);
    report.findings = merged(report.findings);
    Ok(Outcome {
        is_contradiction: report.is_proof(),
        report: report.to_string(),
    })
}

async fn judge(
    evidence: &Evidence,
    genuine: &[Placed<Receipt>],
    house: &Arc<HouseConnection>,
    keys: &VerifierKeys,
) -> Result<Judged, Failure> {
    let mut findings = receipts::contradictions(genuine);
    let log = served_checkpoint(house, keys, None).await?;
    let signed = checkpoints::genuine(&evidence.notes, keys);
    findings.extend(checkpoints::contradictions(&signed, house, &log).await?);
    let logged = LoggedRounds::find(Arc::clone(house), &log, genuine).await?;
    // What the house has signed later shows that time has passed as well.
    let latest = genuine
        .iter()
        .map(|receipt| receipt.value.time.as_micros())
        .max();
    let now_micros = now().saturating_mul(1_000_000).max(latest.unwrap_or(0));
    findings.extend(logged.contradictions(genuine, &log, now_micros));
    findings.extend(seeds::contradictions(&evidence.pairs, genuine, &logged));
    Ok(Judged {
        findings,
        receipts: genuine.len(),
        checkpoints: signed.len(),
        entries: logged.len(),
        log,
    })
}

/// Separates the receipts that the house has signed from the others, of which the reason is kept.
fn sort(
    receipts: &[Placed<SignedReceipt>],
    keys: &VerifierKeys,
) -> (Vec<Placed<Receipt>>, Vec<Placed<String>>) {
    let (mut genuine, mut invalid) = (Vec::new(), Vec::new());
    for Placed { place, value } in receipts {
        let place = place.clone();
        match value.verify(keys) {
            Ok(receipt) => genuine.push(Placed {
                place,
                value: receipt,
            }),
            Err(error) => invalid.push(Placed {
                place,
                value: error.to_string(),
            }),
        }
    }
    (genuine, invalid)
}
