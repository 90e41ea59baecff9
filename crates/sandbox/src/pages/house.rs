//! The overview page: invoices, payouts, callbacks and injected faults.

use actix_web::http::StatusCode;
use actix_web::{HttpResponse, get, post, web};
use glasshouse_domain::Currency;
use maud::{Markup, html};
use serde::Deserialize;

use super::html::{page, section};
use super::pay::price;
use super::{payouts, redirect, respond};
use crate::callback_record::CallbackOutcome;
use crate::fault_injection::{Answer, FaultInjection};
use crate::payout_script;
use crate::shared::Shared;
use crate::store::InvoiceRecord;

/// The maximum number of invoices, of payouts and of callbacks shown, newest first.
pub(super) const MAXIMUM_SHOWN: usize = 50;

#[get("/sandbox")]
pub(super) async fn show(shared: web::Data<Shared>) -> HttpResponse {
    let content = html! {
        (section("invoices", "Invoices", &invoices(&shared)))
        (section("payouts", "Payouts, newest first", &payouts::newest(&shared)))
        (section("faults", "Injected faults", &fault_injection(&shared)))
        (section("callbacks", "Callbacks, newest first", &callbacks(&shared)))
    };
    respond(StatusCode::OK, page("Sandbox", None, &content))
}

/// The submitted form; browsers do not send unchecked boxes.
#[derive(Deserialize)]
#[serde(default)]
#[derive(Default)]
struct SwitchForm {
    duplicate: Option<u32>,
    reorder: Option<String>,
    delay_ms: Option<u64>,
    drop: Option<String>,
    wrong_signature: Option<String>,
    truncate: Option<String>,
    omit_parent: Option<String>,
    answer: String,
    outcome_in_coins: Option<String>,
    disabled: String,
    retry_after: Option<u64>,
    count: Option<u32>,
    fail_payouts: Option<u32>,
    reject_payouts: Option<u32>,
    hold_payouts: Option<String>,
}

#[post("/sandbox/switches")]
pub(super) async fn inject_fault(
    shared: web::Data<Shared>,
    form: web::Form<SwitchForm>,
) -> HttpResponse {
    let form = form.into_inner();
    let faults = FaultInjection {
        duplicate: form.duplicate.unwrap_or_default(),
        reorder: form.reorder.is_some(),
        delay_ms: form.delay_ms.unwrap_or_default(),
        drop: form.drop.is_some(),
        wrong_signature: form.wrong_signature.is_some(),
        truncate: form.truncate.is_some(),
        omit_parent: form.omit_parent.is_some(),
        answer: match form.answer.as_str() {
            "500" => Some(Answer::Fault),
            "429" => Some(Answer::TooManyRequests),
            "hang" => Some(Answer::Hang),
            "lost" => Some(Answer::Lost),
            "done_302" => Some(Answer::DoneMoved),
            "done_400" => Some(Answer::DoneRefused),
            "done_429" => Some(Answer::DoneBusy),
            _ => None,
        },
        outcome_in_coins: form.outcome_in_coins.is_some(),
        repeat_invoice: None,
        disabled: Some(form.disabled).filter(|code| !code.is_empty()),
        only: None,
        only_suffix: None,
        only_method: None,
        retry_after: form.retry_after.unwrap_or(1),
        count: form.count,
        fail_payouts: form.fail_payouts.unwrap_or_default(),
        reject_payouts: form.reject_payouts.unwrap_or_default(),
        hold_payouts: form.hold_payouts.is_some(),
    };
    payout_script::set_faults(&shared.into_inner(), faults);
    redirect("/sandbox")
}

const SWITCHES: [(&str, &str); 7] = [
    ("reorder", "Reorder callbacks"),
    ("drop", "Drop callbacks"),
    ("wrong_signature", "Sign callbacks with a wrong secret"),
    ("truncate", "Truncate callbacks"),
    ("omit_parent", "Omit a child's parent from responses"),
    ("outcome_in_coins", "Report the outcome in the coin itself"),
    ("hold_payouts", "Hold verified payouts"),
];
const NUMBER_FIELDS: [(&str, &str, u32); 6] = [
    ("duplicate", "Duplicates of each callback", 0),
    ("delay_ms", "Delay callbacks, milliseconds", 0),
    ("retry_after", "Retry-After of a 429, seconds", 1),
    ("count", "Number of callbacks and requests affected", 1),
    ("fail_payouts", "Number of next payouts that fail", 0),
    (
        "reject_payouts",
        "Number of next payouts that are rejected",
        0,
    ),
];
const ANSWERS: [(&str, &str); 8] = [
    ("", "the normal response"),
    ("500", "500"),
    ("429", "429"),
    ("hang", "no response"),
    ("lost", "no response, but carry out"),
    ("done_302", "302, but carry out"),
    ("done_400", "400, but carry out"),
    ("done_429", "429, but carry out"),
];

/// A table that scrolls where it is too wide.
pub(super) fn table(columns: &[&str], rows: &Markup) -> Markup {
    html! {
        div.wide {
            table {
                thead { tr { @for column in columns { th scope="col" { (column) } } } }
                tbody { (rows) }
            }
        }
    }
}

fn invoices(shared: &Shared) -> Markup {
    let rows = shared.read(|store| {
        let mut newest: Vec<_> = store.invoices.values().collect();
        newest.sort_by(|one, other| other.created_at.cmp(&one.created_at));
        let statuses = |invoice: &InvoiceRecord| {
            let payments = store.payments.values();
            let payments = payments.filter(|payment| payment.invoice == invoice.id);
            let statuses: Vec<_> = payments
                .map(|payment| payment.status.replace('_', " "))
                .collect();
            statuses.join(", ")
        };
        html! {
            @for invoice in newest.into_iter().take(MAXIMUM_SHOWN) {
                tr {
                    td { a href={ "/pay/" (invoice.id) } { (invoice.id) } }
                    td { (price(invoice)) }
                    td { (invoice.order_id.as_deref().unwrap_or("–")) }
                    td { (statuses(invoice)) }
                }
            }
        }
    });
    table(&["Invoice", "Price", "Order", "Payments"], &rows)
}

fn fault_injection(shared: &Shared) -> Markup {
    let (faults, callbacks_left, answers_left) = shared.switches().describe();
    html! {
        @if faults != FaultInjection::default() {
            p {
                "Active for " (callbacks_left) " more callbacks and " (answers_left) " more requests."
            }
        }
        form method="post" action="/sandbox/switches" {
            @for (name, label) in SWITCHES {
                label.check { input type="checkbox" name=(name); (label) }
            }
            @for (name, label, value) in NUMBER_FIELDS {
                label { (label) " " input type="number" min="0" name=(name) value=(value); }
            }
            label {
                "Respond to requests with "
                select name="answer" {
                    @for (value, label) in ANSWERS { option value=(value) { (label) } }
                }
            }
            label {
                "Coin that is not accepted "
                select name="disabled" {
                    option value="" { "none" }
                    @for coin in Currency::ALL { option value=(coin.code()) { (coin.label()) } }
                }
            }
            button { "Set" }
        }
    }
}

fn callbacks(shared: &Shared) -> Markup {
    let outcome = |outcome: &CallbackOutcome| match outcome {
        CallbackOutcome::Answered(status) => format!("answered {status}"),
        CallbackOutcome::NoAnswer(reason) => format!("no answer: {reason}"),
        CallbackOutcome::Dropped => "dropped".to_owned(),
    };
    let rows = html! {
        @for callback in shared.callbacks().iter().rev().take(MAXIMUM_SHOWN) {
            tr {
                td { (callback.payment.as_str()) }
                td { (callback.status.replace('_', " ")) }
                td { (outcome(&callback.outcome)) }
            }
        }
    };
    table(&["Payment", "Status", "Outcome"], &rows)
}
