//! Cards, and other types that the card games share on the wire.

use glasshouse_games::cards::{Card, Suit};
use glasshouse_games::heads_up::Action;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa::openapi::schema::{Object, Type};

/// A suit.
#[derive(Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum CardSuit {
    Diamonds,
    Hearts,
    Spades,
    Clubs,
}

/// A card.
#[derive(Serialize, ToSchema)]
#[schema(as = Card)]
pub(crate) struct CardBody {
    suit: CardSuit,
    #[schema(schema_with = card_value)]
    value: &'static str,
}

fn card_value() -> Object {
    let values = [
        "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A",
    ];
    Object::builder()
        .schema_type(Type::String)
        .enum_values(Some(values))
        .examples(["Q"])
        .build()
}

impl From<Card> for CardBody {
    fn from(card: Card) -> Self {
        let suit = match card.suit() {
            Suit::Diamonds => CardSuit::Diamonds,
            Suit::Hearts => CardSuit::Hearts,
            Suit::Spades => CardSuit::Spades,
            Suit::Clubs => CardSuit::Clubs,
        };
        Self {
            suit,
            value: card.value(),
        }
    }
}

pub(crate) fn cards<'c>(cards: impl IntoIterator<Item = &'c Card>) -> Vec<CardBody> {
    cards.into_iter().copied().map(CardBody::from).collect()
}

/// The player's action after the flop.
#[derive(Clone, Copy, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum HeadsUpAction {
    Fold,
    Call,
    Raise,
}

impl From<HeadsUpAction> for Action {
    fn from(action: HeadsUpAction) -> Self {
        match action {
            HeadsUpAction::Fold => Self::Fold,
            HeadsUpAction::Call => Self::Call,
            HeadsUpAction::Raise => Self::Raise,
        }
    }
}

impl From<Action> for HeadsUpAction {
    fn from(action: Action) -> Self {
        match action {
            Action::Fold => Self::Fold,
            Action::Call => Self::Call,
            Action::Raise => Self::Raise,
        }
    }
}

/// One of the two poker games.
#[derive(Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) enum PokerGame {
    VideoPoker,
    HeadsUp,
}
