//! Players' limits, exclusions, playing time and reality checks.

pub(crate) mod changes;
pub(crate) mod exclusions;
pub(crate) mod play_time;
pub(crate) mod player_limits;
pub(crate) mod reality_checks;
pub(crate) mod records;
pub(crate) mod to_check;

pub use changes::{ChangeAction, RecordedChange};
pub use play_time::SessionUsage;
pub use records::{DayTotals, LimitRecords, PlayDay};
pub use to_check::PlayRulesToCheck;
