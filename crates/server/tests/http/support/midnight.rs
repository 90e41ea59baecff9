//! Keeps each test within one day.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

const SECONDS_A_DAY: u64 = 24 * 60 * 60;
/// Longer than a test takes.
const LONGEST_TEST: Duration = Duration::from_secs(40);

/// Waits for the next day if it is near: what a test does must be of one day in the house's figures and log.
pub(crate) fn wait_out_midnight() {
    let since_1970 = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
    let left = Duration::from_secs(SECONDS_A_DAY - since_1970.as_secs() % SECONDS_A_DAY);
    if left < LONGEST_TEST {
        std::thread::sleep(left);
    }
}
