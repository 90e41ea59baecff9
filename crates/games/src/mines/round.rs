//! A round of mines.

use std::time::Duration;

use glasshouse_domain::{Game, Money, Multiplier, RoundResult, Spread};
use serde::{Deserialize, Serialize};

use super::{Bet, Cell, MAXIMUM_STAKE, MINIMUM_STAKE, spread};
use crate::fairness::Stream;
use crate::game_round::{BrokenRound, End, GameInfo, GameKind, GameRound, MoveError, ReturnOf};
use crate::urn::Urn;

/// A round: the bet, the mines, and the revealed cells.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Round {
    bet: Bet,
    mines: Vec<Cell>,
    revealed: Vec<Cell>,
}

/// A move of the player.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Move {
    /// Reveals a cell.
    Reveal(Cell),
    /// Cashes out for the revealed safe cells.
    CashOut,
}

/// The stored details of a round. Stake, payout and multiplier have their own columns; the mines
/// follow from the seeds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Details {
    /// The number of mines.
    pub mines: u8,
    /// The revealed cells, in order of revealing.
    pub revealed: Vec<u8>,
}

/// The player's choices.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Terms {
    /// The number of mines.
    mines: u8,
    /// The revealed cells, in order of revealing; the last one is the mine if one was hit.
    revealed: Vec<u8>,
}

/// The part of a round that the player may see.
#[derive(Debug, Clone)]
pub struct View {
    /// The bet.
    pub bet: Bet,
    /// The revealed cells, in order of revealing.
    pub revealed: Vec<Cell>,
    /// The number of revealed cells that are safe.
    pub safe: u8,
    /// The mine that was hit.
    pub hit: Option<Cell>,
    /// Whether another cell may be revealed.
    pub offers_another: bool,
    /// All mines, in the order drawn, once the round is over.
    pub mines: Option<Vec<Cell>>,
}

impl Round {
    /// Creates a round with given mines.
    #[must_use]
    pub const fn with_mines(bet: Bet, mines: Vec<Cell>) -> Self {
        Self {
            bet,
            mines,
            revealed: Vec::new(),
        }
    }

    /// The mines, in the order drawn; secret while the round is in play.
    #[must_use]
    pub fn mines(&self) -> &[Cell] {
        &self.mines
    }

    /// The mine that was hit, which ends the round.
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

    fn revealed_numbers(&self) -> Vec<u8> {
        self.revealed.iter().map(|cell| cell.get()).collect()
    }

    /// The end with a cash-out for the revealed safe cells.
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

    /// The end after the last reveal: at the mine, or else with a cash-out. `None` if no cell was
    /// revealed.
    fn end(&self) -> Option<End> {
        if self.revealed.is_empty() {
            return None;
        }
        Some(if self.hit().is_some() {
            End::lost(None)
        } else {
            self.cashed_out()
        })
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
        listed_name: "mines",
        kind: GameKind::Turns,
        stakes: MINIMUM_STAKE..=MAXIMUM_STAKE,
        rtp_percent: "99.00",
        return_of: ReturnOf::EveryStrategy,
    };
    type Bet = Bet;
    type Move = Move;
    type Details = Details;
    type View = View;
    type Terms = Terms;

    fn stake(bet: &Bet) -> Money {
        bet.stake
    }

    fn maximum_profit(bet: &Bet) -> Money {
        let mut most = Money::ZERO;
        let mut revealed = 0;
        while bet.offers_another(revealed) {
            revealed += 1;
            most = bet.payout(revealed).profit_over(bet.stake);
        }
        most
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
        self.end()
    }

    fn details(&self, _end: Option<&End>) -> Details {
        Details {
            mines: self.bet.mines,
            revealed: self.revealed_numbers(),
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

    fn terms(&self, _end: &End) -> Terms {
        Terms {
            mines: self.bet.mines,
            revealed: self.revealed_numbers(),
        }
    }

    fn replay(stake: Money, terms: Terms, stream: &mut Stream) -> Result<(Self, End), BrokenRound> {
        let details = Details {
            mines: terms.mines,
            revealed: terms.revealed,
        };
        let round = Self::restore(stake, details, stream)?;
        let end = round.end();
        let end = end.ok_or_else(|| BrokenRound("no cell revealed".to_owned()))?;
        Ok((round, end))
    }

    fn spread(&self, _end: &End) -> Spread {
        spread::of(
            &self.bet,
            u8::try_from(self.revealed.len()).unwrap_or(u8::MAX),
        )
    }
}
