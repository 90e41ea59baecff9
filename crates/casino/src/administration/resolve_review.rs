//! Resolves a review with a description of the outcome.

use glasshouse_domain::{AuditAction, ReviewId};
use glasshouse_persistence::admin::ReviewEntry;
use glasshouse_persistence::{Scope, queries};

use crate::administration::actor::{AdminContext, AuditEvent, note};
use crate::administration::lists::read_entry;
use crate::error::{CasinoError, Refusal};
use crate::house::House;

/// Resolves a review. This moves no money; crediting is a separate action.
///
/// # Errors
/// [`Refusal::ResolutionRequired`], [`Refusal::AlreadyResolved`],
/// [`Refusal::IdempotencyConflict`], [`Refusal::NotFound`], or a fault.
pub async fn resolve_review(
    house: &House,
    context: AdminContext,
    id: ReviewId,
    resolution: &str,
) -> Result<ReviewEntry, CasinoError> {
    let resolution = note(resolution)?.ok_or(Refusal::ResolutionRequired)?;
    let review = find_review(house, id).await?;
    let at = house.now();
    house
        .database
        .write(Scope::nobody(), move |transaction| {
            let event = AuditEvent {
                action: AuditAction::ReviewResolved,
                target: review.player.as_ref().map(|player| player.id),
                subject: Some(format!(
                    "review {id} of payment {}, {}",
                    review.payment,
                    review.kind.as_str()
                )),
                old_value: None,
                new_value: Some(resolution.clone()),
            };
            if context.find_replay(transaction, &event)?.is_some() {
                return Ok(());
            }
            let administrator = context.administrator;
            if !transaction.close_review(id, administrator, &resolution, at)? {
                return Err(Refusal::AlreadyResolved.into());
            }
            context.record(transaction, event, at)
        })
        .await?;
    find_review(house, id).await
}

async fn find_review(house: &House, id: ReviewId) -> Result<ReviewEntry, CasinoError> {
    read_entry(house, move |connection| {
        queries::review_entry(connection, id)
    })
    .await
}
