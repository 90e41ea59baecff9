//! Payments and invoices in the provider's format, for responses and callbacks.

use crate::json::{Form, Object};
use crate::rates;
use crate::store::{InvoiceRecord, PaymentRecord};

/// An invoice; its amounts are strings in both forms.
pub(crate) fn invoice_json(invoice: &InvoiceRecord, public_url: &str, form: Form) -> String {
    let id = invoice.id.to_string();
    Object::new(form)
        .id("id", invoice.id)
        .text("token_id", &id)
        .optional_text("order_id", invoice.order_id.as_deref())
        .optional_text("order_description", invoice.order_description.as_deref())
        .text("price_amount", &invoice.price.to_string())
        .text("price_currency", &invoice.price_currency)
        .optional_text("pay_currency", invoice.pay_currency.as_deref())
        .optional_text("ipn_callback_url", invoice.ipn_callback_url.as_deref())
        .text("invoice_url", &format!("{public_url}/pay/{id}"))
        .optional_text("success_url", invoice.success_url.as_deref())
        .optional_text("cancel_url", invoice.cancel_url.as_deref())
        .text("created_at", &invoice.created_at)
        .text("updated_at", &invoice.created_at)
        .finish()
}

/// A payment, for a response or a callback.
pub(crate) fn payment_json(
    invoice: &InvoiceRecord,
    payment: &PaymentRecord,
    form: Form,
    includes_parent: bool,
    in_coins: bool,
) -> Object {
    let has_ended = matches!(
        payment.status.as_str(),
        "finished" | "partially_paid" | "failed" | "refunded"
    );
    // Before the payment has ended, the outcome is an estimate based on the full amount.
    let basis = if has_ended {
        &payment.paid
    } else {
        &payment.pay_amount
    };
    let (outcome, outcome_currency) = if in_coins {
        (basis.clone(), &*payment.currency)
    } else if has_ended {
        (payment.outcome.clone(), rates::OUTCOME_CURRENCY)
    } else {
        let estimate = |currency| rates::outcome(basis, currency, payment.price_percent);
        let dollars = payment.currency().map(estimate).unwrap_or_default();
        (dollars, rates::OUTCOME_CURRENCY)
    };
    let object = Object::new(form).id("payment_id", payment.id);
    let object = match payment.parent.filter(|_| includes_parent) {
        Some(parent) => object.id("parent_payment_id", parent),
        None => object.missing("parent_payment_id"),
    };
    object
        .id("invoice_id", invoice.id)
        .text("payment_status", &payment.status)
        .text("pay_address", &payment.address)
        .missing("payin_extra_id")
        .amount("price_amount", &invoice.price)
        .text("price_currency", &invoice.price_currency)
        .amount("pay_amount", &payment.pay_amount)
        .amount("actually_paid", &payment.paid)
        .text("pay_currency", &payment.currency)
        .optional_text("order_id", invoice.order_id.as_deref())
        .optional_text("order_description", invoice.order_description.as_deref())
        .id("purchase_id", payment.purchase_id)
        .amount("outcome_amount", &outcome)
        .text("outcome_currency", outcome_currency)
        .optional_text("payin_hash", payment.hash.as_deref())
        .missing("payout_hash")
        .text("created_at", &payment.created_at)
        .text("updated_at", &payment.updated_at)
        .text("type", "crypto2crypto")
}
