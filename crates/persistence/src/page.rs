//! A page of a list.

use crate::error::DatabaseError;

/// A page of a list, and the position of the next one if there may be more.
#[derive(Debug, Clone)]
pub struct Page<T, P> {
    /// The entries, in the order of the list.
    pub entries: Vec<T>,
    /// The position after the last entry.
    pub next: Option<P>,
}

impl<T, P> Page<T, P> {
    /// Builds a page from the rows of a query with this `limit`.
    pub(crate) fn of<R>(
        rows: Vec<R>,
        limit: usize,
        position: impl Fn(&T) -> P,
    ) -> Result<Self, DatabaseError>
    where
        T: TryFrom<R>,
        DatabaseError: From<T::Error>,
    {
        let entries: Vec<T> = rows
            .into_iter()
            .map(|row| Ok(row.try_into()?))
            .collect::<Result<_, DatabaseError>>()?;
        Ok(Self::new(entries, limit, position))
    }

    /// Builds a page from the entries of a query with this `limit`.
    pub fn new(entries: Vec<T>, limit: usize, position: impl Fn(&T) -> P) -> Self {
        let next = entries.last().map(position);
        Self {
            next: next.filter(|_| entries.len() == limit),
            entries,
        }
    }
}
