//! The seed keys that the database needs.

use diesel::prelude::*;

use crate::connection::{AnyConnection, DatabaseUrl};
use crate::error::DatabaseError;
use crate::migrations::{SEED_COMMITMENTS, is_pending};
use crate::schema::seed_pairs;

/// The IDs of the keys that unrevealed pairs were committed with, in order. Each is one index
/// look-up, however many pairs there are.
pub(crate) fn keys_in_use(connection: &mut AnyConnection) -> Result<Vec<String>, DatabaseError> {
    let mut found = Vec::new();
    let mut last = String::new();
    loop {
        let next: Option<Option<String>> = seed_pairs::table
            .filter(seed_pairs::revealed_at_micros.is_null())
            .filter(seed_pairs::key_id.gt(&last))
            .order(seed_pairs::key_id)
            .select(seed_pairs::key_id)
            .first(connection)
            .optional()?;
        let Some(id) = next.flatten() else {
            return Ok(found);
        };
        last.clone_from(&id);
        found.push(id);
    }
}

/// The IDs of the seed keys that a database needs: none if it does not exist yet, or if its seeds
/// have not been converted yet.
///
/// # Errors
/// If the database cannot be read.
pub fn seed_keys_in_use(url: &DatabaseUrl) -> Result<Vec<String>, DatabaseError> {
    if matches!(url, DatabaseUrl::Sqlite(path) if !path.exists()) {
        return Ok(Vec::new());
    }
    let mut connection = url.connect()?;
    if is_pending(&mut connection, SEED_COMMITMENTS)? {
        return Ok(Vec::new());
    }
    keys_in_use(&mut connection)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query_plan::plans_of;

    #[test]
    fn the_keys_in_use_are_found_without_reading_the_pairs() {
        let plans = plans_of(|connection| {
            assert!(keys_in_use(connection).unwrap().is_empty());
        });
        assert_eq!(plans.len(), 1);
        assert!(plans[0].contains("INDEX seed_pairs_keys"), "{plans:?}");
        assert!(!plans[0].contains("SCAN"), "{plans:?}");
    }
}
