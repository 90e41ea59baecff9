//! The API, and the client's behaviour with a provider that fails.

use std::time::{Duration, Instant};

use glasshouse_domain::{Currency, Money};
use glasshouse_payments::{
    Client, ClientError, InvoiceId, PaymentFilter, PaymentId, Secret, currency_of,
};
use glasshouse_sandbox::{Action, Answer, FaultInjection};

use crate::support::{FAST_RETRIES, Fixture, decimal};

#[tokio::test]
async fn status_currencies_and_minimum_amounts_are_served() {
    let fixture = Fixture::start();
    fixture.client.status().await.unwrap();
    let codes = fixture.client.currencies().await.unwrap();
    for currency in Currency::ALL {
        assert!(codes.iter().any(|code| currency_of(code) == Some(currency)));
    }
    // Twice: once with numbers and once with strings.
    for _ in 0..2 {
        let minimum = fixture
            .client
            .min_amount(Currency::Eth, "usdterc20")
            .await
            .unwrap();
        assert_eq!(minimum.amount, decimal("0.00016667"));
        assert_eq!(minimum.in_dollars, Some(decimal("0.5")));
    }
}

#[tokio::test]
async fn invoices_and_payments_are_parsed_in_both_forms() {
    let fixture = Fixture::start();
    let mut raw = Vec::new();
    let invoice = fixture.invoice(5).await;
    raw.push(invoice.raw.clone());
    raw.push(fixture.invoice(1050).await.raw);
    assert!(
        raw.iter()
            .any(|raw| raw.contains(r#""price_amount":"10.5""#))
    );
    assert!(
        invoice
            .invoice_url
            .ends_with(&format!("/pay/{}", invoice.id))
    );
    let id = fixture.sandbox.open(&invoice.id, Currency::Btc).unwrap();
    for _ in 0..2 {
        let payment = fixture.payment(&id).await;
        assert_eq!(payment.id, id);
        assert_eq!(payment.invoice.as_ref(), Some(&invoice.id));
        assert_eq!(payment.order_id.as_deref(), Some("order-é/1"));
        assert_eq!(payment.price_amount, Some(decimal("0.05")));
        assert_eq!(payment.pay_amount, Some(decimal("0.00000056")));
        assert_eq!(payment.actually_paid, Some(decimal("0")));
        assert_eq!((payment.parent, payment.payin_hash), (None, None));
        raw.push(payment.raw);
    }
    let has = |part: &str| raw.iter().any(|raw| raw.contains(part));
    assert!(has(&format!(r#""payment_id":{id},"#)) && has(&format!(r#""payment_id":"{id}","#)));
    assert!(has(r#""pay_amount":5.6e-7,"#) && has(r#""pay_amount":"5.6e-7","#));
    assert!(has(r#""parent_payment_id":null,"#) && has(r#""parent_payment_id":"null","#));
    assert!(has(r#""price_amount":0.05,"#) && has(r#""price_amount":"0.05","#));
}

#[tokio::test]
async fn payments_are_listed_by_invoice_and_date() {
    let fixture = Fixture::start();
    let (invoice, other) = (fixture.invoice(100).await, fixture.invoice(200).await);
    let mut expected = Vec::new();
    for currency in [Currency::Bnb, Currency::Ltc, Currency::Shib] {
        expected.push(fixture.sandbox.open(&invoice.id, currency).unwrap());
    }
    fixture.sandbox.open(&other.id, Currency::Eth).unwrap();
    let of_invoice = PaymentFilter {
        invoice: Some(invoice.id.clone()),
        from: None,
        until: None,
    };
    let mut ids = Vec::new();
    for payment in fixture.client.payments(&of_invoice).await.unwrap() {
        assert_eq!(payment.invoice.as_ref(), Some(&invoice.id));
        ids.push(payment.id);
    }
    ids.sort();
    expected.sort();
    assert_eq!(ids, expected);
    // An expired token is replaced.
    fixture.sandbox.forget_tokens();
    let all = fixture
        .client
        .payments(&PaymentFilter::default())
        .await
        .unwrap();
    assert_eq!(all.len(), 4);
    let tomorrow = jiff::Timestamp::now() + Duration::from_hours(48);
    let later = PaymentFilter {
        invoice: None,
        from: Some(tomorrow.to_zoned(jiff::tz::TimeZone::UTC).date()),
        until: None,
    };
    assert_eq!(fixture.client.payments(&later).await, Ok(Vec::new()));
}

#[tokio::test]
async fn listing_requires_valid_credentials() {
    let fixture = Fixture::start();
    let mut options = fixture.sandbox.client_options().unwrap();
    options.account.as_mut().unwrap().password = Secret::new("wrong".to_owned()).unwrap();
    let client = Client::new(options.clone()).unwrap();
    let refused = client.payments(&PaymentFilter::default()).await;
    assert!(matches!(
        refused,
        Err(ClientError::Refused { status: 403, .. })
    ));
    options.account = None;
    let client = Client::new(options).unwrap();
    assert!(!client.can_list());
    let refused = client.payments(&PaymentFilter::default()).await;
    assert_eq!(refused, Err(ClientError::NoAccount));
}

#[tokio::test]
async fn wrong_api_key_gets_403_and_is_not_in_error_text() {
    let fixture = Fixture::start();
    let mut options = fixture.sandbox.client_options().unwrap();
    options.api_key = Secret::new("wr0ng-k3y".to_owned()).unwrap();
    let client = Client::new(options).unwrap();
    let error = client
        .create_invoice(&fixture.request(100))
        .await
        .unwrap_err();
    let expected = ClientError::Refused {
        status: 403,
        code: "INVALID_API_KEY".to_owned(),
        message: "Invalid api key".to_owned(),
    };
    assert_eq!(error, expected);
    assert!(!error.may_have_been_done());
    assert!(!format!("{client:?} {error:?} {error}").contains("k3y"));
}

#[tokio::test]
async fn unknown_ids_and_impossible_actions_are_refused() {
    let fixture = Fixture::start();
    let unknown = fixture
        .client
        .payment(&PaymentId::parse("1").unwrap())
        .await;
    assert!(matches!(
        unknown,
        Err(ClientError::Refused { status: 404, .. })
    ));
    let zero_price = fixture.client.create_invoice(&fixture.request(0)).await;
    assert!(matches!(
        zero_price,
        Err(ClientError::Refused { status: 400, .. })
    ));
    let unknown = InvoiceId::parse("1").unwrap();
    assert!(fixture.sandbox.open(&unknown, Currency::Btc).is_err());
    // An invoice for one currency cannot be paid in another.
    let mut request = fixture.request(100);
    request.pay_currency = Some(Currency::Bnb);
    let invoice = fixture.client.create_invoice(&request).await.unwrap();
    assert!(fixture.sandbox.open(&invoice.id, Currency::Btc).is_err());
    let id = fixture.sandbox.open(&invoice.id, Currency::Bnb).unwrap();
    let payment = fixture.payment(&id).await;
    assert_eq!(payment.pay_currency.as_deref(), Some("bnbbsc"));
    // A failed payment cannot be paid.
    fixture.sandbox.act(&id, &Action::Fail).unwrap();
    assert!(fixture.sandbox.act(&id, &Action::PayFull).is_err());
    fixture.sandbox.rest().await.unwrap();
}

fn responses_with(answer: Answer, count: u32) -> FaultInjection {
    FaultInjection {
        answer: Some(answer),
        count: Some(count),
        ..FaultInjection::default()
    }
}

#[tokio::test]
async fn read_requests_are_retried() {
    let fixture = Fixture::start();
    for answer in [Answer::TooManyRequests, Answer::Fault] {
        fixture.sandbox.inject_fault(responses_with(answer, 2));
        fixture.client.status().await.unwrap();
        fixture.sandbox.inject_fault(responses_with(answer, 3));
        let error = fixture.client.status().await.unwrap_err();
        assert!(error.is_passing(), "{error}");
        fixture.sandbox.inject_fault(responses_with(answer, 1));
        assert!(fixture.client.without_retries().status().await.is_err());
        fixture.client.without_retries().status().await.unwrap();
    }
}

#[tokio::test]
async fn retry_after_is_respected_or_reported() {
    let fixture = Fixture::start();
    let mut fault = responses_with(Answer::TooManyRequests, 1);
    fault.retry_after = 1;
    fixture.sandbox.inject_fault(fault.clone());
    let started = Instant::now();
    fixture.client.status().await.unwrap();
    assert!(started.elapsed() >= Duration::from_secs(1));
    fault.retry_after = 600;
    fixture.sandbox.inject_fault(fault);
    let expected = ClientError::Unavailable {
        reason: "too many requests".to_owned(),
        retry_after: Some(Duration::from_mins(10)),
    };
    assert_eq!(fixture.client.status().await, Err(expected));
    // Until then no client sends any request.
    let calls = fixture.sandbox.calls();
    for client in [fixture.client.clone(), fixture.client.without_retries()] {
        let error = client.status().await.unwrap_err();
        assert!(error.is_passing() && error.was_not_sent(), "{error}");
        let error = client
            .create_invoice(&fixture.request(100))
            .await
            .unwrap_err();
        assert!(error.is_passing() && error.was_not_sent(), "{error}");
    }
    assert_eq!(fixture.sandbox.calls(), calls);
    assert!(fixture.client.paused_for().is_some());
}

#[tokio::test]
async fn invoice_creation_is_not_retried() {
    let fixture = Fixture::start();
    fixture
        .sandbox
        .inject_fault(responses_with(Answer::TooManyRequests, 1));
    let error = fixture
        .client
        .create_invoice(&fixture.request(100))
        .await
        .unwrap_err();
    assert!(error.is_passing() && !error.may_have_been_done(), "{error}");
    fixture
        .sandbox
        .inject_fault(responses_with(Answer::Fault, 1));
    let error = fixture
        .client
        .create_invoice(&fixture.request(100))
        .await
        .unwrap_err();
    assert!(error.may_have_been_done(), "{error}");
    assert!(fixture.sandbox.invoices().is_empty());
}

#[tokio::test]
async fn timed_out_invoice_creation_has_an_unknown_outcome() {
    let fixture = Fixture::start();
    let mut options = fixture.sandbox.client_options().unwrap();
    options.timeout = Duration::from_millis(150);
    options.retry = FAST_RETRIES;
    let client = Client::new(options).unwrap();
    for (answer, expected) in [(Answer::Hang, 0), (Answer::Lost, 1)] {
        fixture.sandbox.inject_fault(responses_with(answer, 1));
        let error = client
            .create_invoice(&fixture.request(100))
            .await
            .unwrap_err();
        assert!(matches!(error, ClientError::OutcomeUnknown(_)), "{error}");
        assert_eq!(fixture.sandbox.invoices().len(), expected);
    }
    // A read request can be retried.
    fixture
        .sandbox
        .inject_fault(responses_with(Answer::Hang, 1));
    client.status().await.unwrap();
    fixture
        .sandbox
        .inject_fault(responses_with(Answer::Hang, 3));
    let error = client.status().await.unwrap_err();
    assert!(matches!(error, ClientError::Unavailable { .. }), "{error}");
}

#[tokio::test]
async fn unreachable_provider_is_a_temporary_error() {
    let fixture = Fixture::start();
    let request = fixture.request(100);
    let client = {
        let stopped = Fixture::start();
        stopped.client.clone()
    };
    let error = client.create_invoice(&request).await.unwrap_err();
    assert!(error.is_passing(), "{error}");
    assert!(client.status().await.unwrap_err().is_passing());
}

#[tokio::test]
async fn fault_can_be_limited_to_a_path() {
    let fixture = Fixture::start();
    let body = r#"{"answer":500,"only":"/payment/","count":1}"#;
    fixture
        .sandbox
        .inject_fault(serde_json::from_str(body).unwrap());
    let invoice = fixture.invoice(100).await;
    let id = fixture.sandbox.open(&invoice.id, Currency::Doge).unwrap();
    assert!(fixture.client.without_retries().payment(&id).await.is_err());
    assert_eq!(
        fixture.payment(&id).await.price_amount.unwrap().to_money(),
        Some(Money::from_cents(100))
    );
}
