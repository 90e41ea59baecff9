//! Names with the present time, so that none is used twice, not even after an old backup was restored.

use std::time::SystemTime;

use glasshouse_transparency::origin::{Origin, OriginError};

fn present(format: &str) -> String {
    let now = jiff::Timestamp::try_from(SystemTime::now()).unwrap_or_default();
    now.strftime(format).to_string()
}

/// A name for a log that follows another one: that of the house with the present time.
///
/// # Errors
/// If the house's name is too long.
pub fn new_log_name(house: &Origin) -> Result<Origin, OriginError> {
    Origin::parse(&format!("{house}/{}", present("%Y%m%d-%H%M%S")))
}

/// The suffix of files that are kept although they are no longer used.
#[must_use]
pub fn aside_suffix() -> String {
    present("until-%Y%m%d-%H%M%S")
}
