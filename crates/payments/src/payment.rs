//! A payment as the provider reports it, in an answer or in a callback.

use glasshouse_domain::Timestamp;

use crate::decimal::Decimal;
use crate::fields::{Fields, Malformed};
use crate::identifier::{InvoiceId, PaymentId};
use crate::status::PaymentStatus;

/// The fields of a callback that are used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CallbackPayload {
    /// The payment to fetch.
    pub payment: PaymentId,
    /// The parent payment, which the fetched payment may leave out. Knowing it can only lower the
    /// payment's value.
    pub parent: Option<PaymentId>,
}

/// A payment. All fields but ID and status may be missing; a missing field never matches our
/// record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Payment {
    /// The provider's ID of the payment.
    pub id: PaymentId,
    /// The current status.
    pub status: PaymentStatus,
    /// The payment that this one follows: a re-deposit, or a payment in the wrong asset. The price
    /// is then the parent's and does not apply to this payment.
    pub parent: Option<PaymentId>,
    /// The invoice that is paid.
    pub invoice: Option<InvoiceId>,
    /// Our own ID of the order.
    pub order_id: Option<String>,
    /// The price.
    pub price_amount: Option<Decimal>,
    /// The currency of the price, such as `usd`.
    pub price_currency: Option<String>,
    /// The amount requested, in the currency of the payment.
    pub pay_amount: Option<Decimal>,
    /// The amount received, in the currency of the payment.
    pub actually_paid: Option<Decimal>,
    /// The provider's code of the payment's currency.
    pub pay_currency: Option<String>,
    /// The address that the payment goes to.
    pub pay_address: Option<String>,
    /// The amount that the house receives: an estimate until the status is final.
    pub outcome_amount: Option<Decimal>,
    /// The provider's code of the currency that the house receives.
    pub outcome_currency: Option<String>,
    /// The provider's ID of the purchase.
    pub purchase_id: Option<String>,
    /// The hash of the payer's transaction.
    pub payin_hash: Option<String>,
    /// When it was created, as the provider wrote it.
    pub created_at: Option<String>,
    /// When it last changed, as the provider wrote it.
    pub updated_at: Option<String>,
    /// The whole payment as received, including fields that we do not parse.
    pub raw: String,
}

impl Payment {
    /// Parses a payment or a callback, which have the same form.
    ///
    /// # Errors
    /// See [`Malformed`].
    pub fn parse(body: &[u8]) -> Result<Self, Malformed> {
        let raw = std::str::from_utf8(body).map_err(|_| Malformed::NotAnObject)?;
        let fields = Fields::parse(raw)?;
        Ok(Self {
            id: id_of(&fields)?,
            status: fields
                .text("payment_status")?
                .map(|name| PaymentStatus::parse(&name))
                .ok_or(Malformed::Missing("payment_status"))?,
            parent: fields.parsed("parent_payment_id", PaymentId::parse)?,
            invoice: fields.parsed("invoice_id", InvoiceId::parse)?,
            order_id: fields.text("order_id")?,
            price_amount: fields.decimal("price_amount")?,
            price_currency: fields.text("price_currency")?,
            pay_amount: fields.decimal("pay_amount")?,
            actually_paid: fields.decimal("actually_paid")?,
            pay_currency: fields.text("pay_currency")?,
            pay_address: fields.text("pay_address")?,
            outcome_amount: fields.decimal("outcome_amount")?,
            outcome_currency: fields.text("outcome_currency")?,
            purchase_id: fields.text("purchase_id")?,
            payin_hash: fields.text("payin_hash")?,
            created_at: fields.text("created_at")?,
            updated_at: fields.text("updated_at")?,
            raw: raw.to_owned(),
        })
    }

    /// When the payment was created, by the provider's clock. `None` if that is missing or
    /// malformed.
    #[must_use]
    pub fn opened_at(&self) -> Option<Timestamp> {
        parse_timestamp(self.created_at.as_deref()?)
    }

    /// When the payment last changed, by the provider's clock. `None` if that is missing or
    /// malformed.
    #[must_use]
    pub fn changed_at(&self) -> Option<Timestamp> {
        parse_timestamp(self.updated_at.as_deref()?)
    }

    /// Parses a callback. Only the IDs are used, to fetch the payment from the provider.
    ///
    /// # Errors
    /// See [`Malformed`].
    pub fn parse_callback(body: &[u8]) -> Result<CallbackPayload, Malformed> {
        let text = std::str::from_utf8(body).map_err(|_| Malformed::NotAnObject)?;
        let fields = Fields::parse(text)?;
        Ok(CallbackPayload {
            payment: id_of(&fields)?,
            parent: fields.parsed("parent_payment_id", PaymentId::parse)?,
        })
    }
}

fn parse_timestamp(text: &str) -> Option<Timestamp> {
    let time: jiff::Timestamp = text.parse().ok()?;
    Some(Timestamp::from_micros(time.as_microsecond()))
}

fn id_of(fields: &Fields<'_>) -> Result<PaymentId, Malformed> {
    fields
        .parsed("payment_id", PaymentId::parse)?
        .ok_or(Malformed::Missing("payment_id"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decimal(text: &str) -> Decimal {
        text.parse().unwrap()
    }

    #[test]
    fn numbers_and_strings_are_parsed_alike() {
        let numbers =
            br#"{"payment_id":5077125051,"payment_status":"waiting","invoice_id":4522625843,
            "price_amount":10.50,"pay_amount":1e-7,"actually_paid":0,"purchase_id":5837122679,
            "order_id":null,"payin_hash":null,"parent_payment_id":null,"outcome_amount":null}"#;
        let texts = br#"{"payment_id":"5077125051","payment_status":"waiting",
            "invoice_id":"4522625843","price_amount":"10.5","pay_amount":"0.0000001",
            "actually_paid":"0","purchase_id":"5837122679","order_id":"null","payin_hash":"null",
            "parent_payment_id":"null","outcome_amount":"null"}"#;
        let mut payment = Payment::parse(numbers).unwrap();
        let mut other = Payment::parse(texts).unwrap();
        assert_eq!(payment.raw.as_bytes(), numbers);
        payment.raw.clear();
        other.raw.clear();
        assert_eq!(payment, other);
        assert_eq!(payment.id.as_str(), "5077125051");
        assert_eq!(payment.price_amount, Some(decimal("10.5")));
        assert_eq!(payment.pay_amount, Some(decimal("1e-7")));
        assert_eq!(payment.actually_paid, Some(decimal("0")));
        assert_eq!((payment.order_id, payment.parent), (None, None));
    }

    #[test]
    fn unknown_statuses_and_fields_are_kept() {
        let body = br#"{"payment_id":1,"payment_status":"hibernating","fee":{"currency":"btc",
            "depositFee":1e-8},"payment_extra_ids":[1,2],"type":"crypto2crypto"}"#;
        let payment = Payment::parse(body).unwrap();
        assert_eq!(
            payment.status,
            PaymentStatus::Other("hibernating".to_owned())
        );
        assert_eq!(payment.raw.as_bytes(), body);
        assert_eq!(payment.price_amount, None);
    }

    #[test]
    fn amounts_keep_their_full_precision() {
        let body = br#"{"payment_id":1,"payment_status":"finished",
            "actually_paid":123456789012345678.123456789012345678}"#;
        let payment = Payment::parse(body).unwrap();
        assert_eq!(
            payment.actually_paid,
            Some(decimal("123456789012345678.123456789012345678"))
        );
    }

    #[test]
    fn malformed_payments_are_refused() {
        let check = |body: &str, expected| {
            assert_eq!(
                Payment::parse(body.as_bytes()).unwrap_err(),
                expected,
                "{body}"
            );
        };
        check("", Malformed::NotAnObject);
        check("[]", Malformed::NotAnObject);
        check("{", Malformed::NotAnObject);
        check(
            r#"{"payment_status":"waiting"}"#,
            Malformed::Missing("payment_id"),
        );
        check(r#"{"payment_id":null}"#, Malformed::Missing("payment_id"));
        check(r#"{"payment_id":1}"#, Malformed::Missing("payment_status"));
        check(
            r#"{"payment_id":"../1"}"#,
            Malformed::Unreadable("payment_id"),
        );
        check(
            r#"{"payment_id":{"a":1}}"#,
            Malformed::Unreadable("payment_id"),
        );
        let paid = |paid: &str| {
            format!(r#"{{"payment_id":1,"payment_status":"finished","actually_paid":{paid}}}"#)
        };
        for wrong in ["-1", "\"-1\"", "{}", "[1]", "true", "\"NaN\"", "1e999"] {
            check(&paid(wrong), Malformed::Unreadable("actually_paid"));
        }
        assert!(Payment::parse(b"\xff").is_err());
    }

    #[test]
    fn a_callback_is_parsed_to_its_payment_id() {
        let payload = Payment::parse_callback(br#"{"payment_id":42,"order_id":{"odd":true}}"#);
        let id = payload.map(|payload| payload.payment);
        assert_eq!(id, Ok(PaymentId::parse("42").unwrap()));
        assert!(Payment::parse_callback(b"null").is_err());
    }

    #[test]
    fn only_valid_timestamps_are_parsed() {
        let read = |text: &str| {
            let body =
                format!(r#"{{"payment_id":1,"payment_status":"waiting","created_at":{text}}}"#);
            let payment = Payment::parse(body.as_bytes()).unwrap();
            payment.opened_at().map(Timestamp::as_micros)
        };
        let micros = Some(1_608_649_558_290_000);
        assert_eq!(read(r#""2020-12-22T15:05:58.290Z""#), micros);
        assert_eq!(read(r#""2020-12-22T16:05:58.290+01:00""#), micros);
        for malformed in ["null", r#""null""#, r#""""#, r#""yesterday""#, "1608649558"] {
            assert_eq!(read(malformed), None, "{malformed}");
        }
    }
}
