//! An administrator has looked at a payment and says what came of it.

use glasshouse_domain::ReviewId;
use glasshouse_persistence::{DatabaseError, ReviewEntry, Scope, queries};

use crate::administrator::{Act, Acting, note};
use crate::error::{CasinoError, Refusal};
use crate::house::House;

/// Resolves a review. It moves no money: that is an act of its own.
///
/// # Errors
/// [`Refusal::ResolutionRequired`], [`Refusal::AlreadyResolved`],
/// [`Refusal::IdempotencyConflict`], [`Refusal::NotFound`], or a fault.
pub async fn resolve_review(
    house: &House,
    acting: Acting,
    id: ReviewId,
    resolution: &str,
) -> Result<ReviewEntry, CasinoError> {
    let resolution = note(resolution)?.ok_or(Refusal::ResolutionRequired)?;
    let review = find(house, id).await?;
    let at = house.now();
    house
        .database
        .write(Scope::nobody(), move |transaction| {
            let act = Act {
                action: "review_resolved",
                target: review.player.as_ref().map(|player| player.id),
                subject: Some(format!(
                    "review {id} of payment {}, {}",
                    review.payment,
                    review.kind.as_str()
                )),
                old_value: None,
                new_value: Some(resolution.clone()),
            };
            if acting.repeated(transaction, &act)?.is_some() {
                return Ok(());
            }
            let administrator = acting.administrator;
            if transaction.close_review(id, administrator, &resolution, at)? {
                return acting.record(transaction, act, at);
            }
            // Closing it has waited for whoever was doing so: it may have been this very call.
            match acting.repeated(transaction, &act)? {
                Some(_) => Ok(()),
                None => Err(Refusal::AlreadyResolved.into()),
            }
        })
        .await?;
    find(house, id).await
}

async fn find(house: &House, id: ReviewId) -> Result<ReviewEntry, CasinoError> {
    let found = house
        .database
        .read(move |connection| queries::review_entry(connection, id))
        .await
        .map_err(|error: DatabaseError| CasinoError::from(error))?;
    found.ok_or_else(|| Refusal::NotFound.into())
}
