//! The page over everything: invoices, callbacks, and how the sandbox is to misbehave.

use actix_web::http::StatusCode;
use actix_web::{HttpResponse, get, post, web};
use glasshouse_domain::Currency;
use serde::Deserialize;

use super::html::{Html, page};
use super::pay::price;
use super::{answer, go_to};
use crate::callback_record::CallbackOutcome;
use crate::misbehaviour::{Answer, Misbehaviour, Switches};
use crate::shared::Shared;

/// How many of each are shown, the newest first.
const MAXIMUM_SHOWN: usize = 50;

#[get("/sandbox")]
pub(super) async fn show(shared: web::Data<Shared>) -> HttpResponse {
    let mut html = Html::default();
    invoices(&mut html, &shared);
    misbehaviour(&mut html, &shared);
    callbacks(&mut html, &shared);
    answer(StatusCode::OK, page("Sandbox", None, &html))
}

/// Boxes that are not ticked are not sent.
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
}

#[post("/sandbox/switches")]
pub(super) async fn misbehave(
    shared: web::Data<Shared>,
    form: web::Form<SwitchForm>,
) -> HttpResponse {
    let form = form.into_inner();
    let wanted = Misbehaviour {
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
        retry_after: form.retry_after.unwrap_or(1),
        count: form.count,
    };
    *shared.switches() = Switches::new(wanted);
    go_to("/sandbox")
}

fn begin_section(html: &mut Html, id: &str, title: &str) {
    html.raw(&format!(
        "<section aria-labelledby=\"{id}\"><h2 id=\"{id}\">{title}</h2>"
    ));
}

fn begin_table(html: &mut Html, columns: &[&str]) {
    html.raw("<div class=\"wide\"><table><thead><tr>");
    for column in columns {
        html.raw("<th scope=\"col\">").raw(column).raw("</th>");
    }
    html.raw("</tr></thead><tbody>");
}

fn invoices(html: &mut Html, shared: &Shared) {
    begin_section(html, "invoices", "Invoices");
    begin_table(html, &["Invoice", "Price", "Order", "Payments"]);
    shared.look(|book| {
        let mut newest: Vec<_> = book.invoices.values().collect();
        newest.sort_by(|one, other| other.created_at.cmp(&one.created_at));
        for invoice in newest.into_iter().take(MAXIMUM_SHOWN) {
            let id = invoice.id.to_string();
            let of_it = book.payments.values();
            let statuses: Vec<_> = of_it
                .filter(|payment| payment.invoice == invoice.id)
                .map(|payment| payment.status.replace('_', " "))
                .collect();
            html.raw("<tr><td><a href=\"/pay/")
                .text(&id)
                .raw("\">")
                .text(&id)
                .raw("</a></td><td>")
                .text(&price(invoice))
                .raw("</td><td>")
                .text(invoice.order_id.as_deref().unwrap_or("–"))
                .raw("</td><td>")
                .text(&statuses.join(", "))
                .raw("</td></tr>");
        }
    });
    html.raw("</tbody></table></div></section>");
}

fn misbehaviour(html: &mut Html, shared: &Shared) {
    let (set, callbacks_left, answers_left) = shared.switches().describe();
    begin_section(html, "misbehaviour", "Misbehaviour");
    let is_set = set != Misbehaviour::default();
    if is_set {
        html.raw("<p>Set now; still for ")
            .text(&callbacks_left.to_string())
            .raw(" callbacks and ")
            .text(&answers_left.to_string())
            .raw(" calls.</p>");
    }
    html.raw("<form method=\"post\" action=\"/sandbox/switches\">");
    for (name, label) in [
        ("reorder", "Reorder callbacks"),
        ("drop", "Drop callbacks"),
        ("wrong_signature", "Sign callbacks wrongly"),
        ("truncate", "Truncate callbacks"),
        ("omit_parent", "Leave a child's parent out of answers"),
        ("outcome_in_coins", "Tell the outcome in the coin itself"),
    ] {
        html.raw("<label class=\"check\"><input type=\"checkbox\" name=\"")
            .raw(name)
            .raw("\">")
            .raw(label)
            .raw("</label>");
    }
    for (name, label, value) in [
        ("duplicate", "Send callbacks again, times", 0),
        ("delay_ms", "Delay callbacks, milliseconds", 0),
        ("retry_after", "Retry-After of a 429, seconds", 1),
        ("count", "For how many", 1),
    ] {
        html.raw("<label>").raw(label).raw(&format!(
            " <input type=\"number\" min=\"0\" name=\"{name}\" value=\"{value}\"></label>"
        ));
    }
    html.raw("<label>Answer calls with <select name=\"answer\">")
        .raw("<option value=\"\">what is asked for</option><option value=\"500\">500</option>")
        .raw("<option value=\"429\">429</option><option value=\"hang\">nothing</option>")
        .raw("<option value=\"lost\">nothing, but do it</option>")
        .raw("<option value=\"done_302\">302, but do it</option>")
        .raw("<option value=\"done_400\">400, but do it</option>")
        .raw("<option value=\"done_429\">429, but do it</option></select></label>")
        .raw("<label>Coin that is not taken <select name=\"disabled\">")
        .raw("<option value=\"\">none</option>");
    for coin in Currency::ALL {
        html.raw("<option value=\"")
            .raw(coin.code())
            .raw("\">")
            .raw(coin.label())
            .raw("</option>");
    }
    html.raw("</select></label>")
        .raw("<button>Set</button></form></section>");
}

fn callbacks(html: &mut Html, shared: &Shared) {
    begin_section(html, "callbacks", "Callbacks, the newest first");
    begin_table(html, &["Payment", "Status", "Outcome"]);
    for callback in shared.callbacks().iter().rev().take(MAXIMUM_SHOWN) {
        let outcome = match &callback.outcome {
            CallbackOutcome::Answered(status) => format!("answered {status}"),
            CallbackOutcome::NoAnswer(reason) => format!("no answer: {reason}"),
            CallbackOutcome::Dropped => "dropped".to_owned(),
        };
        html.raw("<tr><td>")
            .text(callback.payment.as_str())
            .raw("</td><td>")
            .text(&callback.status.replace('_', " "))
            .raw("</td><td>")
            .text(&outcome)
            .raw("</td></tr>");
    }
    html.raw("</tbody></table></div></section>");
}
