//! The calls, and what the client makes of a provider that fails.

use std::time::{Duration, Instant};

use glasshouse_domain::{Currency, Money};
use glasshouse_payments::{
    Client, ClientError, InvoiceId, PaymentFilter, PaymentId, Secret, currency_of,
};
use glasshouse_sandbox::{Action, Answer, FaultInjection};

use crate::support::{QUICK, World, decimal};

#[tokio::test]
async fn the_plain_questions_are_answered() {
    let world = World::start();
    world.client.status().await.unwrap();
    let codes = world.client.currencies().await.unwrap();
    for currency in Currency::ALL {
        assert!(codes.iter().any(|code| currency_of(code) == Some(currency)));
    }
    // Twice: as numbers and as texts.
    for _ in 0..2 {
        let least = world
            .client
            .min_amount(Currency::Eth, "usdterc20")
            .await
            .unwrap();
        assert_eq!(least.amount, decimal("0.00016667"));
        assert_eq!(least.in_dollars, Some(decimal("0.5")));
    }
}

#[tokio::test]
async fn an_invoice_and_its_payments_are_read_in_both_forms() {
    let world = World::start();
    let mut raw = Vec::new();
    let invoice = world.invoice(5).await;
    raw.push(invoice.raw.clone());
    raw.push(world.invoice(1050).await.raw);
    assert!(
        raw.iter()
            .any(|raw| raw.contains(r#""price_amount":"10.5""#))
    );
    assert!(
        invoice
            .invoice_url
            .ends_with(&format!("/pay/{}", invoice.id))
    );
    let id = world.sandbox.open(&invoice.id, Currency::Btc).unwrap();
    for _ in 0..2 {
        let payment = world.payment(&id).await;
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
async fn payments_are_listed_by_invoice_and_day() {
    let world = World::start();
    let (invoice, other) = (world.invoice(100).await, world.invoice(200).await);
    let mut expected = Vec::new();
    for currency in [Currency::Bnb, Currency::Ltc, Currency::Shib] {
        expected.push(world.sandbox.open(&invoice.id, currency).unwrap());
    }
    world.sandbox.open(&other.id, Currency::Eth).unwrap();
    let of_invoice = PaymentFilter {
        invoice: Some(invoice.id.clone()),
        from: None,
        until: None,
    };
    let mut ids = Vec::new();
    for payment in world.client.payments(&of_invoice).await.unwrap() {
        assert_eq!(payment.invoice.as_ref(), Some(&invoice.id));
        ids.push(payment.id);
    }
    ids.sort();
    expected.sort();
    assert_eq!(ids, expected);
    // An expired token is replaced.
    world.sandbox.forget_tokens();
    let all = world
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
    assert_eq!(world.client.payments(&later).await, Ok(Vec::new()));
}

#[tokio::test]
async fn a_listing_needs_the_right_account() {
    let world = World::start();
    let mut options = world.sandbox.client_options().unwrap();
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
async fn a_wrong_key_is_refused_and_not_told() {
    let world = World::start();
    let mut options = world.sandbox.client_options().unwrap();
    options.api_key = Secret::new("wr0ng-k3y".to_owned()).unwrap();
    let client = Client::new(options).unwrap();
    let error = client
        .create_invoice(&world.request(100))
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
async fn what_is_not_there_or_not_possible_is_refused() {
    let world = World::start();
    let unknown = world.client.payment(&PaymentId::parse("1").unwrap()).await;
    assert!(matches!(
        unknown,
        Err(ClientError::Refused { status: 404, .. })
    ));
    let nothing = world.client.create_invoice(&world.request(0)).await;
    assert!(matches!(
        nothing,
        Err(ClientError::Refused { status: 400, .. })
    ));
    let unknown = InvoiceId::parse("1").unwrap();
    assert!(world.sandbox.open(&unknown, Currency::Btc).is_err());
    // A payment that was made for one currency is not paid in another.
    let mut request = world.request(100);
    request.pay_currency = Some(Currency::Bnb);
    let invoice = world.client.create_invoice(&request).await.unwrap();
    assert!(world.sandbox.open(&invoice.id, Currency::Btc).is_err());
    let id = world.sandbox.open(&invoice.id, Currency::Bnb).unwrap();
    let payment = world.payment(&id).await;
    assert_eq!(payment.pay_currency.as_deref(), Some("bnbbsc"));
    // What has ended is not paid again.
    world.sandbox.act(&id, &Action::Fail).unwrap();
    assert!(world.sandbox.act(&id, &Action::PayFull).is_err());
    world.sandbox.rest().await.unwrap();
}

fn answers(answer: Answer, count: u32) -> FaultInjection {
    FaultInjection {
        answer: Some(answer),
        count: Some(count),
        ..FaultInjection::default()
    }
}

#[tokio::test]
async fn questions_are_asked_again_until_they_are_answered() {
    let world = World::start();
    for answer in [Answer::TooManyRequests, Answer::Fault] {
        world.sandbox.inject_fault(answers(answer, 2));
        world.client.status().await.unwrap();
        world.sandbox.inject_fault(answers(answer, 3));
        let error = world.client.status().await.unwrap_err();
        assert!(error.is_passing(), "{error}");
        world.sandbox.inject_fault(answers(answer, 1));
        assert!(world.client.without_retries().status().await.is_err());
        world.client.without_retries().status().await.unwrap();
    }
}

#[tokio::test]
async fn retry_after_is_kept_to_or_told() {
    let world = World::start();
    let mut switches = answers(Answer::TooManyRequests, 1);
    switches.retry_after = 1;
    world.sandbox.inject_fault(switches.clone());
    let begun = Instant::now();
    world.client.status().await.unwrap();
    assert!(begun.elapsed() >= Duration::from_secs(1));
    switches.retry_after = 600;
    world.sandbox.inject_fault(switches);
    let expected = ClientError::Unavailable {
        reason: "too many requests".to_owned(),
        retry_after: Some(Duration::from_mins(10)),
    };
    assert_eq!(world.client.status().await, Err(expected));
    // Until then nobody asks, whatever there is to ask, and whoever does.
    let calls = world.sandbox.calls();
    for client in [world.client.clone(), world.client.without_retries()] {
        let error = client.status().await.unwrap_err();
        assert!(error.is_passing() && error.was_not_sent(), "{error}");
        let error = client
            .create_invoice(&world.request(100))
            .await
            .unwrap_err();
        assert!(error.is_passing() && error.was_not_sent(), "{error}");
    }
    assert_eq!(world.sandbox.calls(), calls);
    assert!(world.client.paused_for().is_some());
}

#[tokio::test]
async fn an_invoice_is_asked_for_once_only() {
    let world = World::start();
    world
        .sandbox
        .inject_fault(answers(Answer::TooManyRequests, 1));
    let error = world
        .client
        .create_invoice(&world.request(100))
        .await
        .unwrap_err();
    assert!(error.is_passing() && !error.may_have_been_done(), "{error}");
    world.sandbox.inject_fault(answers(Answer::Fault, 1));
    let error = world
        .client
        .create_invoice(&world.request(100))
        .await
        .unwrap_err();
    assert!(error.may_have_been_done(), "{error}");
    assert!(world.sandbox.invoices().is_empty());
}

#[tokio::test]
async fn a_time_out_leaves_the_outcome_open() {
    let world = World::start();
    let mut options = world.sandbox.client_options().unwrap();
    options.timeout = Duration::from_millis(150);
    options.retry = QUICK;
    let client = Client::new(options).unwrap();
    for (answer, expected) in [(Answer::Hang, 0), (Answer::Lost, 1)] {
        world.sandbox.inject_fault(answers(answer, 1));
        let error = client
            .create_invoice(&world.request(100))
            .await
            .unwrap_err();
        assert!(matches!(error, ClientError::OutcomeUnknown(_)), "{error}");
        assert_eq!(world.sandbox.invoices().len(), expected);
    }
    // A question can be asked again.
    world.sandbox.inject_fault(answers(Answer::Hang, 1));
    client.status().await.unwrap();
    world.sandbox.inject_fault(answers(Answer::Hang, 3));
    let error = client.status().await.unwrap_err();
    assert!(matches!(error, ClientError::Unavailable { .. }), "{error}");
}

#[tokio::test]
async fn a_provider_that_is_gone_did_nothing() {
    let world = World::start();
    let request = world.request(100);
    let client = {
        let gone = World::start();
        gone.client.clone()
    };
    let error = client.create_invoice(&request).await.unwrap_err();
    assert!(error.is_passing(), "{error}");
    assert!(client.status().await.unwrap_err().is_passing());
}

#[tokio::test]
async fn a_switch_can_be_for_one_call() {
    let world = World::start();
    let body = r#"{"answer":500,"only":"/payment/","count":1}"#;
    world
        .sandbox
        .inject_fault(serde_json::from_str(body).unwrap());
    let invoice = world.invoice(100).await;
    let id = world.sandbox.open(&invoice.id, Currency::Doge).unwrap();
    assert!(world.client.without_retries().payment(&id).await.is_err());
    assert_eq!(
        world.payment(&id).await.price_amount.unwrap().to_money(),
        Some(Money::from_cents(100))
    );
}
