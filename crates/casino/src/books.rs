//! The house's books: consistency checks, totals and measured returns.

pub(crate) mod check;
pub(crate) mod figures;
pub(crate) mod house_game;
pub(crate) mod inspect_round;
pub(crate) mod replay;
pub(crate) mod report;
pub(crate) mod return_test;
pub(crate) mod summary;
pub(crate) mod turnover;

pub use check::report::{CheckOptions, CheckReport, Finding};
pub use check::{check_books, check_role};
pub use figures::{
    FiguresDay, FiguresPeriod, Flows, HouseFigures, owed_for_approved_withdrawals,
    owed_in_balances, read_figures,
};
pub use house_game::HouseGame;
pub use inspect_round::{InspectedRound, ReplayFinding, inspect_round};
pub use report::{HouseDay, HouseReport, publish_returns, read_house_report};
pub use return_test::{MeasuredReturn, Sides};
pub use summary::{GameShare, HouseSummary, read_summary};
pub use turnover::Turnover;

pub use glasshouse_persistence::books::{Liabilities, RoleCheck};
