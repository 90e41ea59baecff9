//! The page for paying an invoice.

use std::sync::Arc;
use std::time::Duration;

use actix_web::http::StatusCode;
use actix_web::{HttpResponse, get, post, web};
use glasshouse_domain::Currency;
use glasshouse_payments::{Decimal, currency_of};
use maud::{Markup, html};
use serde::Deserialize;

use super::html::{page, section, term};
use super::{error_page, redirect, respond};
use crate::action::Action;
use crate::error::SandboxError;
use crate::rates;
use crate::script;
use crate::shared::Shared;
use crate::store::{InvoiceRecord, PaymentRecord};

const HOUR: Duration = Duration::from_hours(1);
/// The maximum price of a coin that can be set, in percent of its initial price.
const MAXIMUM_PRICE_PERCENT: u32 = 1_000;
/// How often the page reloads while a payment is in progress, in seconds.
const REFRESH_SECONDS: u32 = 2;

#[get("/pay/{invoice}")]
pub(super) async fn show(shared: web::Data<Shared>, invoice: web::Path<u64>) -> HttpResponse {
    let id = *invoice;
    let body = shared.read(|store| {
        let invoice = store.invoices.get(&id)?;
        let belongs_to_invoice = |payment: &&PaymentRecord| payment.invoice == id;
        let mut payments: Vec<_> = store.payments.values().filter(belongs_to_invoice).collect();
        payments.sort_by(|one, other| one.created_at.cmp(&other.created_at));
        Some(invoice_page(invoice, &payments))
    });
    match body {
        Some(body) => respond(StatusCode::OK, body),
        None => error_page(&SandboxError::UnknownInvoice, "/sandbox"),
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
        return error_page(&SandboxError::NotPossible("Unknown currency"), &back);
    };
    match script::open(&Arc::clone(&shared), *invoice, currency) {
        Ok(_) => redirect(&back),
        Err(error) => error_page(&error, &back),
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
                    .ok_or(SandboxError::NotPossible("Unknown currency"))?;
                Action::WrongAsset(currency, amount()?)
            }
            _ => return Err(SandboxError::NotPossible("Unknown action")),
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
    let belongs_to_invoice = shared.read(|store| {
        let record = store.payments.get(&payment);
        record.is_some_and(|record| record.invoice == invoice)
    });
    if !belongs_to_invoice {
        return error_page(&SandboxError::UnknownPayment, &back);
    }
    match carry_out(&shared, payment, &form) {
        Ok(()) => redirect(&back),
        Err(error) => error_page(&error, &back),
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
                "The price must be an integer percentage of at most 1000",
            ))?;
            script::set_price(&shared, payment, percent)
        }
        _ => script::act(&shared, payment, &form.action()?).map(drop),
    }
}

fn invoice_page(invoice: &InvoiceRecord, payments: &[&PaymentRecord]) -> String {
    let return_links = [
        (&invoice.success_url, "Return to the shop"),
        (&invoice.cancel_url, "Cancel and return to the shop"),
    ];
    let terms = html! {
        dl {
            (term("Price", &price(invoice)))
            @if let Some(description) = &invoice.order_description { (term("For", description)) }
            @if let Some(order) = &invoice.order_id { (term("Order", order)) }
            (term("Invoice", &invoice.id.to_string()))
        }
        @for (url, label) in return_links {
            @if let Some(url) = url { p { a href=(url) { (label) } } }
        }
    };
    let content = html! {
        (section("invoice", "Invoice details", &terms))
        @for payment in payments { (payment_section(payment)) }
        (open_section(invoice, payments.is_empty()))
    };
    let is_in_progress = payments.iter().any(|payment| !payment.script.is_empty());
    let refresh = is_in_progress.then_some(REFRESH_SECONDS);
    page(&format!("Pay {}", price(invoice)), refresh, &content)
}

/// The price in US dollars, with two decimals if it is in whole cents.
pub(super) fn price(invoice: &InvoiceRecord) -> String {
    match invoice.price.to_money() {
        Some(money) => format!("${money}"),
        None => format!("${}", invoice.price),
    }
}

fn open_section(invoice: &InvoiceRecord, is_first: bool) -> Markup {
    let only = invoice.pay_currency.as_deref().and_then(currency_of);
    let title = if is_first {
        "Choose how to pay"
    } else {
        "Another payment"
    };
    let form = html! {
        form method="post" action={ "/pay/" (invoice.id) "/open" } {
            label {
                "Currency "
                (currency_select(|currency| only.is_none_or(|only| only == currency)))
            }
            button.first { "Continue" }
        }
    };
    section("open", title, &form)
}

fn currency_select(is_offered: impl Fn(Currency) -> bool) -> Markup {
    html! {
        select name="currency" {
            @for currency in Currency::ALL.into_iter().filter(|currency| is_offered(*currency)) {
                option value=(currency.code()) { (currency.label()) }
            }
        }
    }
}

fn payment_section(payment: &PaymentRecord) -> Markup {
    let coin = payment.currency.to_uppercase();
    let status = payment.last_status();
    let can_be_paid = matches!(status, "waiting" | "expired" | "partially_paid");
    let content = html! {
        dl {
            (term("Status", &payment.status.replace('_', " ")))
            (term("Send", &format!("{} {coin}", payment.pay_amount)))
            (term("To", &payment.address))
            (term("Received", &format!("{} {coin}", payment.paid)))
            @if let Some(parent) = payment.parent {
                (term("Sent after", &format!("payment {parent}")))
            }
        }
        @if can_be_paid {
            (button(payment, "pay_full", "Pay in full", "first"))
            (amount_form(payment, "pay", "Pay this much", false))
            (button(payment, "pass_hour", "Let an hour pass", ""))
            (price_form(payment))
        }
        @if status == "waiting" {
            (button(payment, "expire", "Let it expire", ""))
            (button(payment, "pay_late", "Let it expire, then pay", ""))
        }
        @if !matches!(status, "failed" | "refunded") {
            (button(payment, "fail", "Fail", ""))
            (button(payment, "refund", "Refund", ""))
        }
        @if payment.parent.is_none() {
            (amount_form(payment, "redeposit", "Send more to the same address", false))
            (amount_form(payment, "wrong_asset", "Send something else", true))
        }
    };
    let (id, title) = (
        format!("payment-{}", payment.id),
        format!("Payment {}", payment.id),
    );
    section(&id, &title, &content)
}

/// A form that performs an action on a payment.
fn form(payment: &PaymentRecord, action: &str, class: &str, content: &Markup) -> Markup {
    let PaymentRecord { id, invoice, .. } = payment;
    html! {
        form class=(class) method="post" action={ "/pay/" (invoice) "/payments/" (id) } {
            input type="hidden" name="action" value=(action);
            (content)
        }
    }
}

fn button(payment: &PaymentRecord, action: &str, label: &str, class: &str) -> Markup {
    let button = html! { button class=(class) { (label) } };
    form(payment, action, "lone", &button)
}

/// A form with an amount, which defaults to half of the amount to pay.
fn amount_form(payment: &PaymentRecord, action: &str, label: &str, has_currency: bool) -> Markup {
    let fields = html! {
        label {
            "Amount "
            input name="amount" inputmode="decimal" required value=(half(payment));
        }
        @if has_currency {
            label {
                "Currency "
                (currency_select(|currency| payment.currency() != Some(currency)))
            }
        }
        button { (label) }
    };
    form(payment, action, "", &fields)
}

/// A form that changes the coin's price at the time of conversion, which affects the outcome that
/// the house receives.
fn price_form(payment: &PaymentRecord) -> Markup {
    let fields = html! {
        label {
            "Percent of the coin's price "
            input name="amount" inputmode="numeric" required value=(payment.price_percent);
        }
        button { "Change the price" }
    };
    form(payment, "price", "", &fields)
}

fn half(payment: &PaymentRecord) -> Decimal {
    let decimals = payment.currency().map_or(0, rates::decimals);
    let scale = payment.pay_amount.scale();
    let digits = u128::try_from(payment.pay_amount.digits()).unwrap_or_default();
    if scale < decimals {
        return Decimal::from_units(digits * 5, scale + 1);
    }
    Decimal::from_units(digits / 2, scale)
}
