//! Server-sent events: the start and end of the player's rounds, and the prices of the market.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use actix_session::Session;
use actix_web::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use actix_web::{HttpResponse, get, web};
use futures_channel::mpsc;
use futures_util::stream::{self, Stream};
use glasshouse_casino::play::timed::{listen_in_session, open_rounds};
use glasshouse_casino::play::{AnyRound, BetListener, listen_to_bets};
use glasshouse_casino::{House, PublicRound};
use glasshouse_domain::{RoundId, Timestamp, UserId};
use glasshouse_games::game_round::GameRound as _;
use glasshouse_games::with_game;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::error::{ApiError, ErrorBody};
use crate::http::rate_limit::Limit;
use crate::routes::bets::{BetsOf, PublicBet, listed};
use crate::routes::games::timed::milliseconds;
use crate::routes::games::wire::{GameWire as _, round_of};
use crate::session::{SignedInPassively, key_and_end};
use crate::state::Application;
use crate::wire::multiplier::MultiplierNumber;

/// How often the server time is sent, which also keeps proxies from closing the connection.
const CLOCK_PERIOD: Duration = Duration::from_secs(5);
/// The maximum duration of a stream. The browser then reconnects, which checks its session again.
const MAXIMUM_STREAM_DURATION: Duration = Duration::from_mins(5);

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ClockEvent {
    server_time_ms: i64,
}

/// A published price of a market in play.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PriceEvent {
    round_id: i64,
    tick: usize,
    #[schema(value_type = f64)]
    multiplier: MultiplierNumber,
    server_time_ms: i64,
}

/// A settled round of any player.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct BetEvent {
    server_time_ms: i64,
    bet: PublicBet,
}

/// Selects events.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct EventParameters {
    /// Also sends `bet` events with the settled rounds of all players on this game, or on all games.
    #[param(inline)]
    bets: Option<BetsOf>,
}

/// The player's events: `clock` immediately and every five seconds; `crash` and `stonks` with the
/// round when one starts or ends; `price` for each price of a market in play; and, if requested, `bet`
/// for the settled rounds of all players, at most about ten a second: of more, the newest. Subscribing
/// does not count as user activity.
#[utoipa::path(
    tag = "live",
    params(EventParameters),
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
    parameters: web::Query<EventParameters>,
) -> Result<HttpResponse, ApiError> {
    application.limits.check(Limit::Stream(user.id))?;
    let (key, session_ends_at) = key_and_end(&session).ok_or(ApiError::NotSignedIn)?;
    let house = application.house.clone();
    let bets_of = parameters.into_inner().bets;
    let bets = bets_of.map(|bets| listen_to_bets(&house, bets.games()));
    // Subscribe before reading the current state: an event in between is then sent twice rather
    // than lost.
    let listener = listen_in_session(&house, user.id, key);
    let market = open_market(&house, user.id).await?;
    let now = house.now();
    let feed = Feed {
        next_clock: now,
        // User activity may extend the session beyond this end; the browser then reconnects.
        end: now
            .saturating_add(MAXIMUM_STREAM_DURATION)
            .min(session_ends_at),
        house,
        listener,
        market,
        bets,
    };
    Ok(HttpResponse::Ok()
        .insert_header((CONTENT_TYPE, "text/event-stream"))
        .insert_header((CACHE_CONTROL, "no-store"))
        // Otherwise Nginx buffers the events.
        .insert_header(("x-accel-buffering", "no"))
        .streaming(feed.into_stream()))
}

/// A round with a market in play, and the number of the last price that was sent.
struct Market {
    round: Arc<AnyRound>,
    tick: usize,
}

impl Market {
    /// The market of a round, if its game has prices and some are yet to be published.
    fn of(round: Arc<AnyRound>, house: &House) -> Option<Self> {
        let published_until = house.published_until();
        let mut market = Self { round, tick: 0 };
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

    /// The next price, and when it is published.
    fn next(&self) -> Option<(Timestamp, u32)> {
        with_game!(self.round.round().game, R => {
            R::next_price(&round_of::<R>(&self.round).ok()?, self.tick)
        })
    }
}

async fn open_market(house: &House, player: UserId) -> Result<Option<Market>, ApiError> {
    let open = open_rounds(house, player).await?;
    Ok(open
        .into_iter()
        .find_map(|round| Market::of(Arc::new(round), house)))
}

/// Waits until the clocks of all servers have passed the time of the price and returns it; waits
/// forever if there is no price.
async fn wait_until_published(house: &House, point: Option<(Timestamp, u32)>) -> u32 {
    let Some((at, point)) = point else {
        return std::future::pending().await;
    };
    house.wait_until_published(at).await;
    point
}

/// Waits for bets of all players; waits forever if the connection does not list them.
async fn next_bets(listener: Option<&mut BetListener>) -> Vec<PublicRound> {
    match listener {
        Some(listener) => listener.next().await,
        None => std::future::pending().await,
    }
}

/// The source of the events of one connection. It waits for the next event only once the connection has
/// taken the one before. So a slow browser misses bets, except those on their way and the last list, because
/// names may have been hidden since.
struct Feed {
    house: House,
    /// When the stream ends.
    end: Timestamp,
    next_clock: Timestamp,
    /// The player's rounds, as they start and end. Closed when the player's streams are.
    listener: mpsc::Receiver<Arc<AnyRound>>,
    market: Option<Market>,
    /// The bets of all players, if they are listed.
    bets: Option<BetListener>,
}

impl Feed {
    /// The events, until the stream expires or the player's streams are closed.
    fn into_stream(self) -> impl Stream<Item = Result<web::Bytes, Infallible>> {
        stream::unfold(self, async |mut feed| {
            let text = feed.next().await?;
            Some((Ok(text), feed))
        })
    }

    /// Waits for the next events.
    async fn next(&mut self) -> Option<web::Bytes> {
        loop {
            if self.house.now() >= self.end {
                return None;
            }
            let price = self.market.as_ref().and_then(Market::next);
            let next_clock_or_end = self.next_clock.min(self.end);
            let text = tokio::select! {
                round = self.listener.recv() => self.round(round.ok()?),
                price = wait_until_published(&self.house, price) => self.price(price),
                bets = next_bets(self.bets.as_mut()) => Self::bets(&self.house, bets),
                () = self.house.wait_until(next_clock_or_end) => self.clock(),
            }?;
            if !text.is_empty() {
                return Some(text.into());
            }
        }
    }

    fn clock(&mut self) -> Option<String> {
        let now = self.house.now();
        self.next_clock = now.saturating_add(CLOCK_PERIOD);
        let server_time_ms = milliseconds(now);
        event("clock", &ClockEvent { server_time_ms })
    }

    fn round(&mut self, round: Arc<AnyRound>) -> Option<String> {
        let text = with_game!(round.round().game, R => match round_of::<R>(&round) {
            Ok(view) => event(R::INFO.wire_name, &R::open(&view, &self.house)),
            Err(error) => {
                tracing::error!(%error, "failed to publish a round");
                None
            }
        });
        let id = round.round().id;
        if let Some(market) = Market::of(round, &self.house) {
            self.market = Some(market);
        } else if self.is_of_market(id) {
            // The end of an older round must not stop the prices of this one.
            self.market = None;
        }
        text
    }

    fn is_of_market(&self, id: RoundId) -> bool {
        let market = self.market.as_ref();
        market.is_some_and(|market| market.round.round().id == id)
    }

    /// The price, as an event of the market in play; nothing if there is none any more.
    fn price(&mut self, price: u32) -> Option<String> {
        let Some(market) = &mut self.market else {
            return Some(String::new());
        };
        market.tick += 1;
        let price = PriceEvent {
            round_id: market.round.round().id.get(),
            tick: market.tick,
            multiplier: MultiplierNumber::of_thousandths(price),
            server_time_ms: milliseconds(self.house.now()),
        };
        event("price", &price)
    }

    /// The bets that may be listed.
    fn bets(house: &House, bets: Vec<PublicRound>) -> Option<String> {
        let server_time_ms = milliseconds(house.now());
        let listed = bets.into_iter().filter_map(listed);
        let texts = listed.map(|bet| {
            let bet = BetEvent {
                server_time_ms,
                bet,
            };
            event("bet", &bet)
        });
        texts.collect()
    }
}

/// The text of an event; `None` if it cannot be written, which ends the stream.
fn event(name: &str, data: &impl Serialize) -> Option<String> {
    match serde_json::to_string(data) {
        Ok(data) => Some(format!("event: {name}\ndata: {data}\n\n")),
        Err(error) => {
            tracing::error!(%error, name, "failed to serialize an event");
            None
        }
    }
}
