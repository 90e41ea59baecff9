//! A round of mines.

use std::time::Duration;

use glasshouse_domain::{Game, Money, Multiplier, RoundResult, Spread};
use serde::{Deserialize, Serialize};

use super::{Bet, Cell, spread};
use crate::fairness::{RoundSeeds, Stream};
use crate::game_round::{BrokenRound, End, GameInfo, GameKind, GameRound, MoveError, ReturnOf};
use crate::urn::Urn;

/// A round: its bet, where the mines are, and what was revealed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Round {
    bet: Bet,
    mines: Vec<Cell>,
    revealed: Vec<Cell>,
}

/// What a player does in a round.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Move {
    /// Reveals a cell.
    Reveal(Cell),
    /// Takes what the safe cells pay.
    CashOut,
}

/// What is stored of a round besides stake, payout and multiplier. The mines follow from its seeds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Details {
    /// How many mines there are.
    pub mines: u8,
    /// The cells that were revealed, in that order.
    pub revealed: Vec<u8>,
}

/// A round as its player may see it.
#[derive(Debug, Clone)]
pub struct View {
    /// The bet.
    pub bet: Bet,
    /// The cells that were revealed, in that order.
    pub revealed: Vec<Cell>,
    /// How many of them are safe.
    pub safe: u8,
    /// The mine that was revealed.
    pub hit: Option<Cell>,
    /// Whether a further cell may be revealed.
    pub offers_another: bool,
    /// All mines, in the order in which they were drawn, once the round is over.
    pub mines: Option<Vec<Cell>>,
}

impl Round {
    /// A round with known mines.
    #[must_use]
    pub const fn with_mines(bet: Bet, mines: Vec<Cell>) -> Self {
        Self {
            bet,
            mines,
            revealed: Vec::new(),
        }
    }

    /// Where the mines are, in the order in which they were drawn. A secret while the round is in
    /// play.
    #[must_use]
    pub fn mines(&self) -> &[Cell] {
        &self.mines
    }

    /// The mine that was revealed, which ends the round.
    fn hit(&self) -> Option<Cell> {
        self.revealed
            .last()
            .copied()
            .filter(|cell| self.mines.contains(cell))
    }

    fn safe(&self) -> u8 {
        let revealed = u8::try_from(self.revealed.len()).unwrap_or(u8::MAX);
        revealed - u8::from(self.hit().is_some())
    }

    /// What the safe cells pay.
    fn cashed_out(&self) -> End {
        let safe = self.safe();
        End {
            after: None,
            added_stake: Money::ZERO,
            payout: self.bet.payout(safe),
            result: RoundResult::Win,
            multiplier: Some(self.bet.multiplier(safe)),
        }
    }

    fn reveal(&mut self, cell: Cell) -> Option<End> {
        if self.revealed.contains(&cell) {
            return None;
        }
        self.revealed.push(cell);
        if self.hit().is_some() {
            return Some(End::lost(None));
        }
        (!self.bet.offers_another(self.safe())).then(|| self.cashed_out())
    }
}

impl GameRound for Round {
    const INFO: GameInfo = GameInfo {
        game: Game::Mines,
        wire_name: "mines",
        report_name: "mines",
        listed_as: "mines",
        kind: GameKind::Turns,
        rtp_percent: "99.00",
        return_of: ReturnOf::EveryStrategy,
    };
    type Bet = Bet;
    type Move = Move;
    type Details = Details;
    type View = View;

    fn stake(bet: &Bet) -> Money {
        bet.stake
    }

    fn begin(bet: Bet, stream: &mut Stream) -> Self {
        let mut cells = Urn::new(Cell::all());
        let mines = (0..bet.mines).map(|_| cells.draw(stream)).collect();
        Self::with_mines(bet, mines)
    }

    fn restore(stake: Money, details: Details, stream: &mut Stream) -> Result<Self, BrokenRound> {
        let bet = Bet::new(stake, details.mines.into()).map_err(BrokenRound::because)?;
        let mut round = Self::begin(bet, stream);
        for (index, cell) in details.revealed.iter().enumerate() {
            let cell = Cell::new((*cell).into()).map_err(BrokenRound::because)?;
            let is_last = index + 1 == details.revealed.len();
            let is_new = !round.revealed.contains(&cell);
            if !is_new || (round.reveal(cell).is_some() && !is_last) {
                return Err(BrokenRound(format!(
                    "cells {:?} revealed",
                    details.revealed
                )));
            }
        }
        Ok(round)
    }

    fn bet(&self) -> Bet {
        self.bet
    }

    fn play(&mut self, play: Move, _elapsed: Duration) -> Result<Option<End>, MoveError> {
        match play {
            Move::Reveal(cell) => Ok(self.reveal(cell)),
            Move::CashOut if self.revealed.is_empty() => {
                Err(MoveError::TooEarly("Reveal a cell before you cash out"))
            }
            Move::CashOut => Ok(Some(self.cashed_out())),
        }
    }

    fn was_ended_by(&self, play: &Move) -> bool {
        match play {
            Move::Reveal(cell) => self.revealed.last() == Some(cell),
            Move::CashOut => self.hit().is_none(),
        }
    }

    fn end_as_stored(&self, _elapsed: Duration, _multiplier: Option<Multiplier>) -> Option<End> {
        if self.revealed.is_empty() {
            return None;
        }
        Some(if self.hit().is_some() {
            End::lost(None)
        } else {
            self.cashed_out()
        })
    }

    fn details(&self, _end: Option<&End>) -> Details {
        Details {
            mines: self.bet.mines,
            revealed: self.revealed.iter().map(|cell| cell.get()).collect(),
        }
    }

    fn view(&self, end: Option<&End>) -> View {
        View {
            bet: self.bet,
            revealed: self.revealed.clone(),
            safe: self.safe(),
            hit: self.hit(),
            offers_another: end.is_none() && self.bet.offers_another(self.safe()),
            mines: end.map(|_| self.mines.clone()),
        }
    }

    fn spread(&self, _end: &End, _seeds: &RoundSeeds) -> Spread {
        spread::of(
            &self.bet,
            u8::try_from(self.revealed.len()).unwrap_or(u8::MAX),
        )
    }
}
