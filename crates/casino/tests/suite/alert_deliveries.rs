//! How receivers are told about alerts: at least once, with the same key, for a day at most.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use actix_web::{HttpRequest, HttpResponse, web};
use glasshouse_casino::House;
use glasshouse_casino::alerts::{
    AlertOptions, SIGNATURE_HEADER, WebhookTarget, deliver_due_alerts, sign, try_alerts, watch_once,
};
use glasshouse_domain::{AlertChannel, Timestamp};
use glasshouse_mail::Mailer;
use glasshouse_testing::{TestHttpServer, TestSmtpServer};
use rstest_reuse::apply;

use crate::support::email::email;
use crate::support::{Fixture, both_databases};

const SECRET: &str = "a-secret-of-the-operator";

/// How the receiver answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Answering {
    Status(u16),
    Never,
}

/// A call that the receiver has got.
#[derive(Debug, Clone)]
struct Call {
    key: String,
    signature: String,
    body: String,
}

struct Shared {
    answering: Answering,
    calls: Vec<Call>,
}

/// The operator's receiver.
struct Receiver {
    server: TestHttpServer,
    shared: Arc<Mutex<Shared>>,
}

async fn receive(
    shared: web::Data<Mutex<Shared>>,
    request: HttpRequest,
    body: String,
) -> HttpResponse {
    let header = |name: &str| {
        let value = request.headers().get(name).unwrap();
        value.to_str().unwrap().to_owned()
    };
    let answering = {
        let mut shared = shared.lock().unwrap();
        shared.calls.push(Call {
            key: header("idempotency-key"),
            signature: header(SIGNATURE_HEADER),
            body,
        });
        shared.answering
    };
    match answering {
        Answering::Never => std::future::pending().await,
        Answering::Status(status) => HttpResponse::build(status.try_into().unwrap())
            .insert_header(("location", "/hook"))
            .finish(),
    }
}

impl Receiver {
    fn start() -> Self {
        let shared = Arc::new(Mutex::new(Shared {
            answering: Answering::Status(204),
            calls: Vec::new(),
        }));
        let data = web::Data::from(Arc::clone(&shared));
        let server = TestHttpServer::start(move |services| {
            services
                .app_data(data.clone())
                .route("/hook", web::post().to(receive));
        });
        Self { server, shared }
    }

    fn options(&self) -> AlertOptions {
        let url = format!("{}/hook", self.server.url);
        AlertOptions {
            webhook: Some(WebhookTarget::new(&url, SECRET).unwrap()),
            mail_to: vec![email("ops@example.com")],
            ..AlertOptions::default()
        }
    }

    fn answer(&self, answering: Answering) {
        self.shared.lock().unwrap().answering = answering;
    }

    fn calls(&self) -> Vec<Call> {
        self.shared.lock().unwrap().calls.clone()
    }
}

fn mailer_to(server: &TestSmtpServer) -> Arc<Mailer> {
    let url = format!("smtp://{}", server.address);
    Arc::new(Mailer::over_smtp(&url, "casino@example.com").unwrap())
}

/// Raises a condition, as the watch of a server would.
fn raise(test: &Fixture) {
    let now = test.house.now().as_micros();
    test.sql(&format!(
        "INSERT INTO alerts (kind, key, facts, is_condition, raised_at_micros, next_message)
         VALUES ('queue', 'queue:reviews',
            '{{\"about\":\"queue\",\"queue\":\"reviews\",\"waiting\":60,\"oldest_hours\":null}}', 1, {now},
            'raised')"
    ))
    .unwrap();
}

/// How each delivery is: how often it was tried, whether it waits and whether it was made.
fn states(test: &Fixture) -> Vec<String> {
    test.texts(
        "SELECT channel || ' ' || message || ' ' || attempts
            || CASE WHEN next_attempt_at_micros IS NULL THEN '' ELSE ' waits' END
            || CASE WHEN delivered_at_micros IS NULL THEN '' ELSE ' delivered' END AS value
         FROM alert_deliveries ORDER BY id",
    )
}

async fn deliver(house: &House, options: &AlertOptions, mailer: &Arc<Mailer>) -> usize {
    deliver_due_alerts(house, options, Arc::clone(mailer))
        .await
        .unwrap()
}

#[apply(both_databases)]
async fn two_servers_tell_each_receiver_once(#[case] test: &Fixture) {
    let (receiver, smtp) = (Receiver::start(), TestSmtpServer::start());
    let (options, mailer) = (receiver.options(), mailer_to(&smtp));
    let other = test.another_house();
    // The house was looked at just now.
    let next_pass = test.house.now().as_micros() + 30_000_000;
    test.sql(&format!(
        "UPDATE alert_watch SET next_pass_at_micros = {next_pass}"
    ))
    .unwrap();
    raise(test);
    for _ in 0..3 {
        let (one, two) = tokio::join!(
            watch_once(&test.house, &options),
            watch_once(&other, &options)
        );
        one.unwrap();
        two.unwrap();
        tokio::join!(
            deliver(&test.house, &options, &mailer),
            deliver(&other, &options, &mailer)
        );
        test.clock.advance(Duration::from_mins(1));
    }
    // There were no reviews, so that the next look has resolved it.
    let mut found = states(test);
    found.sort();
    assert_eq!(
        found,
        [
            "mail raised 1 delivered",
            "mail resolved 1 delivered",
            "webhook raised 1 delivered",
            "webhook resolved 1 delivered",
        ]
    );
    let calls = receiver.calls();
    let keys: Vec<&str> = calls.iter().map(|call| call.key.as_str()).collect();
    assert_eq!(keys, ["alert-1-raised", "alert-1-resolved"]);
    let body: serde_json::Value = serde_json::from_str(&calls[0].body).unwrap();
    assert_eq!(body["id"], 1);
    assert_eq!(body["event"], "raised");
    assert_eq!(body["kind"], "queue");
    assert_eq!(body["text"], "60 payments wait for a review.");
    assert_eq!(body["facts"]["waiting"], 60);
    assert!(body["user"].is_null());
    for call in &calls {
        let (time, _) = call.signature.split_once(',').unwrap();
        let seconds: i64 = time.strip_prefix("t=").unwrap().parse().unwrap();
        let at = Timestamp::from_micros(seconds * 1_000_000);
        assert_eq!(call.signature, sign(SECRET, at, &call.body));
        assert_ne!(call.signature, sign("another secret of 16", at, &call.body));
    }
    let mails = smtp.mails();
    assert_eq!(mails.len(), 2);
    assert_eq!(mails[0].to, ["<ops@example.com>"]);
    assert!(
        mails[0]
            .data
            .contains("Subject: Alert: Too much waits for a person")
    );
    assert!(
        mails[1]
            .data
            .contains("Subject: Resolved: Too much waits for a person")
    );
    test.assert_clean().await;
}

/// Announces an alert once it was raised, without looking at the house.
async fn announce(test: &Fixture, options: &AlertOptions) {
    // The house was looked at just now.
    test.sql("UPDATE alert_watch SET next_pass_at_micros = 9000000000000000000")
        .unwrap();
    raise(test);
    assert_eq!(watch_once(&test.house, options).await.unwrap(), 1);
}

#[apply(both_databases)]
async fn a_receiver_that_fails_is_told_again_and_given_up_after_a_day(#[case] test: &Fixture) {
    let (receiver, smtp) = (Receiver::start(), TestSmtpServer::start());
    let (mut options, mailer) = (receiver.options(), mailer_to(&smtp));
    options.mail_to.clear();
    announce(test, &options).await;
    let mut waited = Duration::ZERO;
    // A redirection is not followed.
    for (answer, delay) in [(500, 10), (302, 20), (404, 40)] {
        receiver.answer(Answering::Status(answer));
        assert_eq!(deliver(&test.house, &options, &mailer).await, 1);
        let delay = Duration::from_secs(delay);
        test.clock
            .advance(delay.saturating_sub(Duration::from_micros(1)));
        assert_eq!(deliver(&test.house, &options, &mailer).await, 0);
        test.clock.advance(Duration::from_micros(1));
        waited += delay;
    }
    assert_eq!(receiver.calls().len(), 3);
    assert_eq!(states(test), ["webhook raised 3 waits"]);
    let problem = test.texts("SELECT problem AS value FROM alert_deliveries");
    assert!(problem[0].contains("it answered 404"), "{problem:?}");
    // A server without a webhook leaves it to the others.
    let none = AlertOptions::default();
    assert_eq!(deliver(&test.house, &none, &mailer).await, 0);
    let mut attempts = 3;
    while states(test)[0].ends_with("waits") {
        attempts += deliver(&test.house, &options, &mailer).await;
        test.clock.advance(Duration::from_mins(10));
        waited += Duration::from_mins(10);
    }
    assert!(waited <= Duration::from_hours(25), "{waited:?}");
    assert!((25..45).contains(&attempts), "{attempts}");
    let calls = receiver.calls();
    assert!(calls.iter().all(|call| call.key == "alert-1-raised"));
    assert_eq!(states(test), [format!("webhook raised {attempts}")]);
}

/// A server that dies after the receiver has got the alert tells it again, with the same key.
#[apply(both_databases)]
async fn what_a_dead_server_has_sent_is_sent_again(#[case] test: &Fixture) {
    let (receiver, smtp) = (Receiver::start(), TestSmtpServer::start());
    let (mut options, mailer) = (receiver.options(), mailer_to(&smtp));
    options.mail_to.clear();
    announce(test, &options).await;
    receiver.answer(Answering::Never);
    let dying = tokio::spawn({
        let (house, options, mailer) = (test.another_house(), options.clone(), Arc::clone(&mailer));
        async move { deliver(&house, &options, &mailer).await }
    });
    while receiver.calls().is_empty() {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    dying.abort();
    assert!(dying.await.unwrap_err().is_cancelled());
    receiver.answer(Answering::Status(200));
    test.clock
        .advance(Duration::from_mins(3).saturating_sub(Duration::from_micros(1)));
    assert_eq!(deliver(&test.house, &options, &mailer).await, 0);
    test.clock.advance(Duration::from_micros(1));
    assert_eq!(deliver(&test.house, &options, &mailer).await, 1);
    let calls = receiver.calls();
    assert_eq!(calls.len(), 2);
    assert_eq!(calls[0].key, calls[1].key);
    assert_eq!(calls[0].body, calls[1].body);
    assert_eq!(states(test), ["webhook raised 2 delivered"]);
}

#[apply(both_databases)]
async fn the_operator_sees_whether_alerts_arrive(#[case] test: &Fixture) {
    let (receiver, smtp) = (Receiver::start(), TestSmtpServer::start());
    let (options, mailer) = (receiver.options(), mailer_to(&smtp));
    // Another alert waits, and is left to the server.
    announce(test, &options).await;
    receiver.answer(Answering::Status(503));
    let trials = try_alerts(&test.house, &options, Arc::clone(&mailer))
        .await
        .unwrap();
    let mut found: Vec<(AlertChannel, bool)> = trials
        .iter()
        .map(|trial| (trial.channel, trial.problem.is_none()))
        .collect();
    found.sort_unstable();
    assert_eq!(
        found,
        [(AlertChannel::Webhook, false), (AlertChannel::Mail, true)]
    );
    assert_eq!(receiver.calls()[0].key, "alert-2-raised");
    assert!(smtp.mails()[0].data.contains("Subject: Alert: Test"));
    let mut states = states(test);
    states.sort();
    assert_eq!(
        states,
        [
            "mail raised 0 waits",
            "mail raised 1 delivered",
            "webhook raised 0 waits",
            "webhook raised 1",
        ]
    );
}
