//! A sandbox, a client for it, and a server that records callbacks.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use actix_web::{HttpRequest, HttpResponse, web};
use glasshouse_domain::Money;
use glasshouse_payments::signature::IpnSecret;
use glasshouse_payments::{
    Client, Decimal, Invoice, InvoiceRequest, Payment, PaymentId, RetryPolicy,
};
use glasshouse_sandbox::{Sandbox, SandboxOptions};
use glasshouse_testing::TestHttpServer;

/// A callback as received by the house.
#[derive(Clone)]
pub(crate) struct Received {
    pub(crate) body: Vec<u8>,
    pub(crate) signature: String,
}

/// The sandbox, its client and the callback server of a test.
pub(crate) struct Fixture {
    pub(crate) sandbox: Sandbox,
    pub(crate) client: Client,
    received: Arc<Mutex<Vec<Received>>>,
    callbacks: TestHttpServer,
}

type Inbox = web::Data<Mutex<Vec<Received>>>;

async fn receive_callback(inbox: Inbox, request: HttpRequest, body: web::Bytes) -> HttpResponse {
    let signature = request.headers().get("x-nowpayments-sig").unwrap();
    inbox.lock().unwrap().push(Received {
        body: body.to_vec(),
        signature: signature.to_str().unwrap().to_owned(),
    });
    HttpResponse::Ok().finish()
}

/// Starts a server that records all callbacks.
fn start_callback_server() -> (Arc<Mutex<Vec<Received>>>, TestHttpServer) {
    let received = Arc::new(Mutex::new(Vec::new()));
    let inbox = Arc::clone(&received);
    let server = TestHttpServer::start(move |services| {
        services
            .app_data(web::Data::from(Arc::clone(&inbox)))
            .route("/ipn", web::post().to(receive_callback));
    });
    (received, server)
}

/// Retries almost immediately, to keep tests fast.
pub(crate) const FAST_RETRIES: RetryPolicy = RetryPolicy {
    attempts: 3,
    first_delay: Duration::from_millis(5),
    longest_delay: Duration::from_secs(1),
};

pub(crate) fn client_of(sandbox: &Sandbox) -> Client {
    let mut options = sandbox.client_options().unwrap();
    options.retry = FAST_RETRIES;
    options.timeout = Duration::from_secs(5);
    Client::new(options).unwrap()
}

pub(crate) fn decimal(text: &str) -> Decimal {
    text.parse().unwrap()
}

impl Fixture {
    pub(crate) fn start() -> Self {
        Self::start_with(SandboxOptions::for_tests())
    }

    pub(crate) fn start_with(options: SandboxOptions) -> Self {
        let sandbox = Sandbox::start(options).unwrap();
        let client = client_of(&sandbox);
        let (received, callbacks) = start_callback_server();
        Self {
            sandbox,
            client,
            received,
            callbacks,
        }
    }

    pub(crate) fn request(&self, cents: i64) -> InvoiceRequest {
        InvoiceRequest {
            price: Money::from_cents(cents),
            order_id: "order-é/1".to_owned(),
            order_description: "A <deposit>".to_owned(),
            pay_currency: None,
            ipn_callback_url: format!("{}/ipn", self.callbacks.url),
            success_url: format!("{}/paid?a=1&b=2", self.callbacks.url),
            cancel_url: format!("{}/back", self.callbacks.url),
            is_fixed_rate: false,
        }
    }

    pub(crate) async fn invoice(&self, cents: i64) -> Invoice {
        self.client
            .create_invoice(&self.request(cents))
            .await
            .unwrap()
    }

    pub(crate) async fn payment(&self, id: &PaymentId) -> Payment {
        self.client.payment(id).await.unwrap()
    }

    pub(crate) fn received(&self) -> Vec<Received> {
        self.received.lock().unwrap().clone()
    }

    /// The statuses of the received callbacks with a valid signature.
    pub(crate) fn statuses(&self) -> Vec<String> {
        let secret = IpnSecret::new(self.sandbox.ipn_secret().to_owned()).unwrap();
        self.received()
            .iter()
            .filter(|received| secret.verify(&received.body, &received.signature).is_ok())
            .map(|received| Payment::parse(&received.body).unwrap().status.to_string())
            .collect()
    }
}
