//! Server-sent events: how a player's rounds begin and end, and what the market does.

use std::time::Duration;

use actix_session::Session;
use actix_web::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use actix_web::{HttpResponse, get, rt, web};
use futures_util::StreamExt as _;
use glasshouse_casino::House;
use glasshouse_casino::play::AnyRound;
use glasshouse_casino::play::timed::{listen_in_session, open_rounds};
use glasshouse_domain::{RoundId, Timestamp, UserId};
use glasshouse_games::game_round::GameRound as _;
use glasshouse_games::with_game;
use serde::Serialize;
use tokio::sync::mpsc;
use tokio_stream::wrappers::ReceiverStream;
use utoipa::ToSchema;

use crate::error::{ApiError, ErrorBody};
use crate::http::rate_limit::Limit;
use crate::routes::games::timed::milliseconds;
use crate::routes::games::wire::{GameWire as _, round_of};
use crate::session::{SignedInPassively, key_and_end};
use crate::state::Application;
use crate::wire::multiplier::MultiplierNumber;

/// The clock is told this often, which also keeps proxies from closing the connection.
const CLOCK_PERIOD: Duration = Duration::from_secs(5);
/// After this a stream ends and the browser connects again, which judges its session anew.
const MAXIMUM_STREAM_DURATION: Duration = Duration::from_mins(5);
/// How many events may wait for a slow connection.
const EVENT_QUEUE_CAPACITY: usize = 16;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ClockEvent {
    server_time_ms: i64,
}

/// A published point of a market in play.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PriceEvent {
    round_id: i64,
    tick: usize,
    #[schema(value_type = f64)]
    multiplier: MultiplierNumber,
    server_time_ms: i64,
}

/// The player's events: `clock` at once and every five seconds; `crash` and `stonks` with the round
/// when one begins or ends; `price` for each point of a market in play. Asking for them is no
/// activity of the player's own.
#[utoipa::path(
    tag = "live",
    responses(
        (status = 200, content_type = "text/event-stream", body = String),
        (status = 401, body = ErrorBody),
        (status = 429, body = ErrorBody),
    )
)]
#[get("/api/events")]
pub(crate) async fn events(
    application: web::Data<Application>,
    session: Session,
    SignedInPassively(user): SignedInPassively,
) -> Result<HttpResponse, ApiError> {
    application.limits.check(Limit::Stream(user.id))?;
    let (key, session_ends_at) = key_and_end(&session).ok_or(ApiError::NotSignedIn)?;
    let house = application.house.clone();
    // Listen first, then look: what happens in between is told twice rather than never.
    let listener = listen_in_session(&house, user.id, key);
    let market = open_market(&house, user.id).await?;
    let (sender, receiver) = mpsc::channel(EVENT_QUEUE_CAPACITY);
    let longest = house.now().saturating_add(MAXIMUM_STREAM_DURATION);
    let feed = Feed {
        // The session may be the user's for longer, if the user does something meanwhile: then the
        // browser connects again.
        end: longest.min(session_ends_at),
        house,
        sender,
        market,
    };
    rt::spawn(feed.run(listener));
    let stream = ReceiverStream::new(receiver).map(Ok::<_, actix_web::Error>);
    Ok(HttpResponse::Ok()
        .insert_header((CONTENT_TYPE, "text/event-stream"))
        .insert_header((CACHE_CONTROL, "no-store"))
        // Nginx would collect the events otherwise.
        .insert_header(("x-accel-buffering", "no"))
        .streaming(stream))
}

/// A round with prices in play, and the number of the last price that was told.
struct Market {
    round: AnyRound,
    tick: usize,
}

impl Market {
    /// The market of a round, if its game has prices and some are still to be published.
    fn of(round: &AnyRound, house: &House) -> Option<Self> {
        let published_until = house.published_until();
        let mut market = Self {
            round: round.clone(),
            tick: 0,
        };
        let mut next = market.next()?;
        while next.0 <= published_until {
            market.tick += 1;
            match market.next() {
                Some(later) => next = later,
                None => break,
            }
        }
        Some(market)
    }

    /// The price that is published next, and when.
    fn next(&self) -> Option<(Timestamp, u32)> {
        with_game!(self.round.round().game, R => {
            R::next_price(&round_of::<R>(&self.round).ok()?, self.tick)
        })
    }
}

async fn open_market(house: &House, player: UserId) -> Result<Option<Market>, ApiError> {
    let open = open_rounds(house, player).await?;
    Ok(open.iter().find_map(|round| Market::of(round, house)))
}

/// A point of a market, once every server has passed it; never where there is none.
async fn published(house: &House, point: Option<(Timestamp, u32)>) -> u32 {
    let Some((at, point)) = point else {
        return std::future::pending().await;
    };
    house.wait_until_published(at).await;
    point
}

/// What feeds one connection.
struct Feed {
    house: House,
    /// When the stream ends.
    end: Timestamp,
    sender: mpsc::Sender<web::Bytes>,
    market: Option<Market>,
}

impl Feed {
    /// Sends until the browser goes away, the stream is old, or the player's streams are closed.
    async fn run(mut self, mut listener: mpsc::Receiver<AnyRound>) {
        let mut next_clock = self.house.now();
        loop {
            let point = self.market.as_ref().and_then(Market::next);
            let next_clock_or_end = next_clock.min(self.end);
            let is_sent = tokio::select! {
                round = listener.recv() => match round {
                    Some(round) => self.send_round(&round).await,
                    None => false,
                },
                point = published(&self.house, point) => self.send_price(point).await,
                () = self.house.wait_until(next_clock_or_end) => {
                    next_clock = self.house.now().saturating_add(CLOCK_PERIOD);
                    self.send_clock().await
                }
                () = self.sender.closed() => false,
            };
            if !is_sent || self.house.now() >= self.end {
                return;
            }
        }
    }

    async fn send_clock(&self) -> bool {
        let server_time_ms = milliseconds(self.house.now());
        self.send("clock", &ClockEvent { server_time_ms }).await
    }

    async fn send_round(&mut self, round: &AnyRound) -> bool {
        if let Some(market) = Market::of(round, &self.house) {
            self.market = Some(market);
        } else if self.is_of_market(round.round().id) {
            // The late end of an older round does not end this one's prices.
            self.market = None;
        }
        let house = self.house.clone();
        with_game!(round.round().game, R => match round_of::<R>(round) {
            Ok(view) => self.send(R::INFO.wire_name, &R::open(&view, &house)).await,
            Err(error) => {
                tracing::error!(%error, "a round could not be told");
                false
            }
        })
    }

    fn is_of_market(&self, id: RoundId) -> bool {
        let market = self.market.as_ref();
        market.is_some_and(|market| market.round.round().id == id)
    }

    async fn send_price(&mut self, point: u32) -> bool {
        let Some(market) = &mut self.market else {
            return true;
        };
        market.tick += 1;
        let event = PriceEvent {
            round_id: market.round.round().id.get(),
            tick: market.tick,
            multiplier: MultiplierNumber::of_thousandths(point),
            server_time_ms: milliseconds(self.house.now()),
        };
        self.send("price", &event).await
    }

    /// False if the connection is gone.
    async fn send(&self, name: &str, data: &impl Serialize) -> bool {
        match serde_json::to_string(data) {
            Ok(data) => {
                let text = format!("event: {name}\ndata: {data}\n\n");
                self.sender.send(text.into()).await.is_ok()
            }
            Err(error) => {
                tracing::error!(%error, name, "an event could not be written");
                false
            }
        }
    }
}
