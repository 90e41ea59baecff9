//! The payouts on the overview page.

use maud::{Markup, html};

use super::house::{MAXIMUM_SHOWN, table};
use crate::shared::Shared;

/// The newest payouts.
pub(super) fn newest(shared: &Shared) -> Markup {
    let rows = shared.read(|store| {
        let is_verified = |batch| {
            let batch = store.payouts.batches.get(batch);
            batch.is_some_and(|batch| batch.is_verified)
        };
        html! {
            @for payout in store.payouts.payouts.iter().rev().take(MAXIMUM_SHOWN) {
                tr {
                    td { (payout.id) }
                    td.address { (payout.address) }
                    td { (payout.amount) " " (payout.currency.to_uppercase()) }
                    td {
                        (payout.status().as_str())
                        @if !is_verified(&payout.batch) { ", not verified" }
                    }
                }
            }
        }
    });
    table(&["Payout", "Address", "Amount", "Status"], &rows)
}
