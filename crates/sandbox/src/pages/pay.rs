//! The page that an invoice is paid on.

use std::sync::Arc;
use std::time::Duration;

use actix_web::http::StatusCode;
use actix_web::{HttpResponse, get, post, web};
use glasshouse_domain::Currency;
use glasshouse_payments::{Decimal, currency_of};
use serde::Deserialize;

use super::html::{Html, page};
use super::{answer, go_to, sorry};
use crate::action::Action;
use crate::book::{InvoiceRecord, PaymentRecord};
use crate::error::SandboxError;
use crate::rates;
use crate::script;
use crate::shared::Shared;

const HOUR: Duration = Duration::from_hours(1);
/// No coin rises to more than this while it is looked at.
const MAXIMUM_PRICE_PERCENT: u32 = 1_000;
/// How often the page of a payment under way loads itself again.
const REFRESH_SECONDS: u32 = 2;

#[get("/pay/{invoice}")]
pub(super) async fn show(shared: web::Data<Shared>, invoice: web::Path<u64>) -> HttpResponse {
    let id = *invoice;
    let shown = shared.look(|book| {
        let invoice = book.invoices.get(&id)?;
        let of_it = |payment: &&PaymentRecord| payment.invoice == id;
        let mut payments: Vec<_> = book.payments.values().filter(of_it).collect();
        payments.sort_by(|one, other| one.created_at.cmp(&other.created_at));
        Some(invoice_page(invoice, &payments))
    });
    match shown {
        Some(body) => answer(StatusCode::OK, body),
        None => sorry(&SandboxError::UnknownInvoice, "/sandbox"),
    }
}

#[derive(Deserialize)]
struct OpenForm {
    currency: String,
}

#[post("/pay/{invoice}/open")]
pub(super) async fn open(
    shared: web::Data<Shared>,
    invoice: web::Path<u64>,
    form: web::Form<OpenForm>,
) -> HttpResponse {
    let back = format!("/pay/{invoice}");
    let Some(currency) = Currency::parse(&form.currency) else {
        return sorry(
            &SandboxError::NotPossible("There is no such currency"),
            &back,
        );
    };
    match script::open(&Arc::clone(&shared), *invoice, currency) {
        Ok(_) => go_to(&back),
        Err(error) => sorry(&error, &back),
    }
}

#[derive(Deserialize)]
struct ActionForm {
    action: String,
    #[serde(default)]
    amount: String,
    #[serde(default)]
    currency: String,
}

impl ActionForm {
    fn action(&self) -> Result<Action, SandboxError> {
        let amount = || {
            let amount: Result<Decimal, _> = self.amount.trim().parse();
            amount.map_err(|_| SandboxError::NotPossible("The amount must be a number such as 0.5"))
        };
        Ok(match self.action.as_str() {
            "pay_full" => Action::PayFull,
            "pay" => Action::Pay(amount()?),
            "pay_late" => Action::PayLate,
            "expire" => Action::Expire,
            "fail" => Action::Fail,
            "refund" => Action::Refund,
            "redeposit" => Action::Redeposit(amount()?),
            "wrong_asset" => {
                let currency = Currency::parse(&self.currency)
                    .ok_or(SandboxError::NotPossible("There is no such currency"))?;
                Action::WrongAsset(currency, amount()?)
            }
            _ => return Err(SandboxError::NotPossible("There is no such action")),
        })
    }
}

#[post("/pay/{invoice}/payments/{payment}")]
pub(super) async fn act(
    shared: web::Data<Shared>,
    path: web::Path<(u64, u64)>,
    form: web::Form<ActionForm>,
) -> HttpResponse {
    let (invoice, payment) = *path;
    let back = format!("/pay/{invoice}");
    let is_of_it = shared.look(|book| {
        let record = book.payments.get(&payment);
        record.is_some_and(|record| record.invoice == invoice)
    });
    if !is_of_it {
        return sorry(&SandboxError::UnknownPayment, &back);
    }
    match carry_out(&shared, payment, &form) {
        Ok(()) => go_to(&back),
        Err(error) => sorry(&error, &back),
    }
}

fn carry_out(
    shared: &web::Data<Shared>,
    payment: u64,
    form: &ActionForm,
) -> Result<(), SandboxError> {
    let shared = Arc::clone(shared);
    match form.action.as_str() {
        "pass_hour" => script::pass_time(&shared, HOUR),
        "price" => {
            let percent = form.amount.trim().parse().ok();
            let percent = percent.filter(|percent| *percent <= MAXIMUM_PRICE_PERCENT);
            let percent = percent.ok_or(SandboxError::NotPossible(
                "The price must be whole percent, at most 1000",
            ))?;
            script::set_price(&shared, payment, percent)
        }
        _ => script::act(&shared, payment, &form.action()?).map(drop),
    }
}

fn invoice_page(invoice: &InvoiceRecord, payments: &[&PaymentRecord]) -> String {
    let mut html = Html::default();
    html.raw("<section aria-labelledby=\"invoice\"><h2 id=\"invoice\">What is to be paid</h2><dl>")
        .row("Price", &price(invoice));
    if let Some(description) = &invoice.order_description {
        html.row("For", description);
    }
    if let Some(order) = &invoice.order_id {
        html.row("Order", order);
    }
    html.row("Invoice", &invoice.id.to_string()).raw("</dl>");
    for (url, label) in [
        (&invoice.success_url, "Return to the shop"),
        (&invoice.cancel_url, "Cancel and return to the shop"),
    ] {
        if let Some(url) = url {
            html.raw("<p><a href=\"")
                .text(url)
                .raw("\">")
                .raw(label)
                .raw("</a></p>");
        }
    }
    html.raw("</section>");
    for payment in payments {
        payment_section(&mut html, payment);
    }
    open_section(&mut html, invoice, payments.is_empty());
    let is_moving = payments.iter().any(|payment| !payment.script.is_empty());
    let refresh = is_moving.then_some(REFRESH_SECONDS);
    page(&format!("Pay {}", price(invoice)), refresh, &html)
}

/// Dollars with two decimals, where they are whole cents.
pub(super) fn price(invoice: &InvoiceRecord) -> String {
    match invoice.price.to_money() {
        Some(money) => format!("${money}"),
        None => format!("${}", invoice.price),
    }
}

fn open_section(html: &mut Html, invoice: &InvoiceRecord, is_first: bool) {
    let only = invoice.pay_currency.as_deref().and_then(currency_of);
    html.raw("<section aria-labelledby=\"open\"><h2 id=\"open\">")
        .raw(if is_first {
            "Choose how to pay"
        } else {
            "Another payment"
        })
        .raw("</h2><form method=\"post\" action=\"/pay/")
        .text(&invoice.id.to_string())
        .raw("/open\"><label>Currency ");
    currency_select(html, |currency| only.is_none_or(|only| only == currency));
    html.raw("</label><button class=\"first\">Continue</button></form></section>");
}

fn currency_select(html: &mut Html, is_shown: impl Fn(Currency) -> bool) {
    html.raw("<select name=\"currency\">");
    for currency in Currency::ALL
        .into_iter()
        .filter(|currency| is_shown(*currency))
    {
        html.raw("<option value=\"")
            .text(currency.code())
            .raw("\">")
            .text(currency.label())
            .raw("</option>");
    }
    html.raw("</select>");
}

fn payment_section(html: &mut Html, payment: &PaymentRecord) {
    let id = payment.id.to_string();
    let coin = payment.currency.to_uppercase();
    html.raw("<section aria-labelledby=\"payment-")
        .text(&id)
        .raw("\"><h2 id=\"payment-")
        .text(&id)
        .raw("\">Payment ")
        .text(&id)
        .raw("</h2><dl>")
        .row("Status", &payment.status.replace('_', " "))
        .row("Send", &format!("{} {coin}", payment.asked))
        .row("To", &payment.address)
        .row("Received", &format!("{} {coin}", payment.paid));
    if let Some(parent) = payment.parent {
        html.row("Sent after", &format!("payment {parent}"));
    }
    html.raw("</dl>");
    let path = format!("/pay/{}/payments/{id}", payment.invoice);
    let status = payment.last_status();
    let can_be_paid = matches!(status, "waiting" | "expired" | "partially_paid");
    if can_be_paid {
        button(html, &path, "pay_full", "Pay in full", "first");
        amount_form(html, &path, "pay", "Pay this much", payment, false);
    }
    if can_be_paid {
        button(html, &path, "pass_hour", "Let an hour pass", "");
        price_form(html, &path, payment);
    }
    if status == "waiting" {
        button(html, &path, "expire", "Let it expire", "");
        button(html, &path, "pay_late", "Let it expire, then pay", "");
    }
    if !matches!(status, "failed" | "refunded") {
        button(html, &path, "fail", "Fail", "");
        button(html, &path, "refund", "Refund", "");
    }
    if payment.parent.is_none() {
        amount_form(
            html,
            &path,
            "redeposit",
            "Send more to the same address",
            payment,
            false,
        );
        amount_form(
            html,
            &path,
            "wrong_asset",
            "Send something else",
            payment,
            true,
        );
    }
    html.raw("</section>");
}

fn begin_form(html: &mut Html, path: &str, action: &str, class: &str) {
    html.raw("<form class=\"")
        .text(class)
        .raw("\" method=\"post\" action=\"")
        .text(path)
        .raw("\"><input type=\"hidden\" name=\"action\" value=\"")
        .text(action)
        .raw("\">");
}

fn button(html: &mut Html, path: &str, action: &str, label: &str, class: &str) {
    begin_form(html, path, action, "lone");
    html.raw("<button class=\"")
        .text(class)
        .raw("\">")
        .text(label)
        .raw("</button></form>");
}

/// A form with an amount, of which half of what is asked is the suggestion.
fn amount_form(
    html: &mut Html,
    path: &str,
    action: &str,
    label: &str,
    payment: &PaymentRecord,
    has_currency: bool,
) {
    begin_form(html, path, action, "");
    html.raw("<label>Amount <input name=\"amount\" inputmode=\"decimal\" required value=\"")
        .text(&half(payment).to_string())
        .raw("\"></label>");
    if has_currency {
        html.raw("<label>Currency ");
        currency_select(html, |currency| payment.currency() != Some(currency));
        html.raw("</label>");
    }
    html.raw("<button>").text(label).raw("</button></form>");
}

/// What the coin is worth when the payment is passed on: the house sees it in what it is left with.
fn price_form(html: &mut Html, path: &str, payment: &PaymentRecord) {
    begin_form(html, path, "price", "");
    html.raw("<label>Percent of the coin's price <input name=\"amount\" inputmode=\"numeric\" ")
        .raw("required value=\"")
        .text(&payment.price_percent.to_string())
        .raw("\"></label><button>Change the price</button></form>");
}

fn half(payment: &PaymentRecord) -> Decimal {
    let decimals = payment.currency().map_or(0, rates::decimals);
    let scale = payment.asked.scale();
    let digits = u128::try_from(payment.asked.digits()).unwrap_or_default();
    if scale < decimals {
        return Decimal::from_units(digits * 5, scale + 1);
    }
    Decimal::from_units(digits / 2, scale)
}
