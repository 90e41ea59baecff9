//! Limits how many bets are worked on at once, so that those beyond it wait with little memory
//! ([ADR 45](../../../../docs/adr/0045-bets-wait-before-they-cost-memory.md)).

use std::rc::Rc;

use actix_web::body::{EitherBody, MessageBody};
use actix_web::dev::{Payload, ServiceRequest, ServiceResponse};
use actix_web::http::Method;
use actix_web::middleware::Next;
use actix_web::{Error, ResponseError, web};
use tokio::sync::Semaphore;

use crate::http::body::read_body;

/// How many bets one HTTP worker works on at once. Batches do not become cheaper for a bet beyond it.
const BETS_PER_WORKER: usize = 128;

/// The calls that start a round. They wait for nothing but the database, so none of them can hold up the others for
/// long. Later decisions, such as cashing out, are not among them, because their time counts.
const BETS: [&str; 6] = [
    "/api/crash/game",
    "/api/dice/play",
    "/api/mines/game",
    "/api/poker/deal",
    "/api/poker/heads-up/deal",
    "/api/stonks/game",
];

/// The bets that one HTTP worker works on. Workers share nothing, because waking one from another's thread costs a
/// system call.
#[derive(Clone)]
pub(crate) struct BetsInProgress(Rc<Semaphore>);

impl Default for BetsInProgress {
    fn default() -> Self {
        Self(Rc::new(Semaphore::new(BETS_PER_WORKER)))
    }
}

/// Middleware outside all that keeps something for a request, such as its session: while a worker has enough bets in
/// progress, further ones wait here in the order in which they arrived. With thousands of bets at once, most of the
/// server's memory was what they kept while they waited for the database.
///
/// A bet counts once its body has been received, so that clients which send theirs slowly hold up nobody.
///
/// # Errors
/// Errors of the inner service.
pub async fn limit_bets_in_progress<B: MessageBody + 'static>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<EitherBody<B>>, Error> {
    let is_bet = request.method() == Method::POST && BETS.contains(&request.path());
    let in_progress = request.app_data::<BetsInProgress>();
    let Some(BetsInProgress(places)) = in_progress.filter(|_| is_bet).cloned() else {
        return Ok(next.call(request).await?.map_into_left_body());
    };
    let (request, mut payload) = request.into_parts();
    let body = match read_body(&request, &mut payload).await {
        // What was read has room for 8 kB.
        Ok(body) => web::Bytes::copy_from_slice(&body),
        Err(error) => {
            let response = ServiceResponse::new(request, error.error_response());
            return Ok(response.map_into_right_body());
        }
    };
    // The semaphore is never closed, so there is always a permit.
    let _place = places.acquire().await;
    let request = ServiceRequest::from_parts(request, Payload::from(body));
    Ok(next.call(request).await?.map_into_left_body())
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use actix_web::body::{BoxBody, to_bytes};
    use actix_web::dev::{Service, ServiceFactory};
    use actix_web::error::PayloadError;
    use actix_web::middleware::from_fn;
    use actix_web::test::{TestRequest, init_service};
    use actix_web::{App, HttpResponse};
    use futures_util::future::{join_all, poll_immediate};
    use futures_util::stream::{StreamExt, pending};
    use glasshouse_domain::Game;

    use super::*;
    use crate::router::openapi;

    /// What the handlers share with the test.
    struct Handlers {
        /// How many calls have reached a handler.
        started: Cell<usize>,
        /// How many of them may be answered.
        may_end: Semaphore,
    }

    impl Handlers {
        fn new() -> Rc<Self> {
            Rc::new(Self {
                started: Cell::new(0),
                may_end: Semaphore::new(0),
            })
        }
    }

    /// A server that works on two bets at once.
    fn app(
        handlers: Rc<Handlers>,
    ) -> App<
        impl ServiceFactory<
            ServiceRequest,
            Config = (),
            Response = ServiceResponse<EitherBody<BoxBody>>,
            Error = Error,
            InitError = (),
        >,
    > {
        let handler = move |body: web::Bytes| {
            let handlers = Rc::clone(&handlers);
            async move {
                handlers.started.set(handlers.started.get() + 1);
                handlers.may_end.acquire().await.unwrap().forget();
                HttpResponse::Ok().body(body)
            }
        };
        App::new()
            .app_data(BetsInProgress(Rc::new(Semaphore::new(2))))
            .route("/api/dice/play", web::post().to(handler.clone()))
            .route("/api/poker/hold", web::post().to(handler))
            .wrap(from_fn(limit_bets_in_progress))
    }

    #[test]
    fn the_start_of_each_game_is_limited() {
        assert_eq!(BETS.len(), Game::ALL.len());
        let document = openapi();
        for path in BETS {
            let item = document.paths.paths.get(path);
            assert!(item.is_some_and(|item| item.post.is_some()), "{path}");
        }
    }

    fn bet() -> TestRequest {
        TestRequest::post()
            .uri("/api/dice/play")
            .set_payload("a bet")
    }

    #[actix_web::test]
    async fn further_bets_wait_until_one_is_answered() {
        let handlers = Handlers::new();
        let server = init_service(app(Rc::clone(&handlers))).await;
        let mut bets = join_all((0..5).map(|_| server.call(bet().to_request())));
        assert!(poll_immediate(&mut bets).await.is_none());
        assert_eq!(handlers.started.get(), 2, "bets that were started");

        handlers.may_end.add_permits(1);
        // Once for the answer, and once for the bet that was waiting.
        assert!(poll_immediate(&mut bets).await.is_none());
        assert!(poll_immediate(&mut bets).await.is_none());
        assert_eq!(handlers.started.get(), 3, "bets after one was answered");

        handlers.may_end.add_permits(4);
        for answer in bets.await {
            let body = to_bytes(answer.unwrap().into_body()).await.unwrap();
            assert_eq!(body, "a bet");
        }
    }

    #[actix_web::test]
    async fn bets_without_a_body_and_other_calls_take_no_place() {
        let handlers = Handlers::new();
        let server = init_service(app(Rc::clone(&handlers))).await;
        let never = || pending::<Result<web::Bytes, PayloadError>>().boxed_local();
        let slow = (0..9).map(|_| {
            let (request, _) = bet().to_request().replace_payload(Payload::from(never()));
            server.call(request)
        });
        let mut slow = join_all(slow);
        assert!(poll_immediate(&mut slow).await.is_none());
        let mut bets = join_all((0..3).map(|_| server.call(bet().to_request())));
        assert!(poll_immediate(&mut bets).await.is_none());
        assert_eq!(handlers.started.get(), 2, "bets beside the slow ones");

        let hold = bet().uri("/api/poker/hold").to_request();
        let mut hold = Box::pin(server.call(hold));
        assert!(poll_immediate(&mut hold).await.is_none());
        assert_eq!(handlers.started.get(), 3, "a decision beside two bets");
    }

    #[actix_web::test]
    async fn the_place_of_a_client_that_leaves_is_free_again() {
        let handlers = Handlers::new();
        let server = init_service(app(Rc::clone(&handlers))).await;
        let mut left = join_all((0..4).map(|_| server.call(bet().to_request())));
        assert!(poll_immediate(&mut left).await.is_none());
        drop(left);

        let mut bets = join_all((0..2).map(|_| server.call(bet().to_request())));
        assert!(poll_immediate(&mut bets).await.is_none());
        assert_eq!(handlers.started.get(), 4, "bets of both");
    }
}
