//! The list of all settled rounds, as an [`AdminList`].

use crate::admin::listing::{AdminList, Page, PageBounds};
use crate::admin::rounds::{AllRoundsQuery, PlayedRound, all_rounds_page};
use crate::connection::AnyConnection;
use crate::error::DatabaseError;
use crate::rounds::HistoryCursor;

impl AdminList for AllRoundsQuery {
    type Entry = PlayedRound;
    type Place = HistoryCursor;

    fn bounds(&mut self) -> PageBounds<'_, HistoryCursor> {
        PageBounds {
            after: &mut self.after,
            limit: &mut self.limit,
        }
    }

    fn read(
        &self,
        connection: &mut AnyConnection,
    ) -> Result<Page<PlayedRound, HistoryCursor>, DatabaseError> {
        let (entries, next) = all_rounds_page(connection, self)?;
        Ok(Page { entries, next })
    }
}
