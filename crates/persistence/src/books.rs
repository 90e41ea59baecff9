//! The house's books: totals, counts, and the queries of `glasshouse check`.

pub(crate) mod check_role;
pub(crate) mod check_rows;
pub(crate) mod check_schema;
pub(crate) mod checks;
pub(crate) mod house_checks;
pub(crate) mod house_counts;
pub(crate) mod house_flows;
pub(crate) mod house_totals;
pub(crate) mod log_to_check;
pub(crate) mod receipts_to_check;
pub(crate) mod seeds_to_check;
pub(crate) mod user_checks;

pub use check_role::RoleCheck;
pub use check_rows::{
    AdjustmentRow, AlertRow, ClosedRow, ConfirmedCreditRow, RecordedActs, ResolvedReviewRow,
    RestrictionRow, StandingRow, SwitchRow,
};
pub use check_schema::SchemaCheck;
pub use checks::{CheckCount, Violation};
pub use house_counts::HouseCounts;
pub use house_flows::{FlowsOfDays, HouseFlows, Liabilities};
pub use house_totals::HouseTotals;
pub use log_to_check::{BatchToCheck, MissingRound, TileTotals, UnevenBatch};
pub use receipts_to_check::{
    CreditOfDeposit, NamedPair, NamedWithdrawal, ReceiptCount, ReceiptToCheck,
};
pub use seeds_to_check::{RoundToCheck, SeedPairToCheck};
