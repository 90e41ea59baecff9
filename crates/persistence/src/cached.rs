//! Lets diesel keep the prepared statement of an UPDATE or of SQL written by hand.
//!
//! diesel caches what its query builder can prove to be of one shape, which an UPDATE never is to
//! it. Ours are: their text is a constant, only the bound values differ.

use diesel::backend::Backend;
use diesel::query_builder::{AstPass, Query, QueryFragment, QueryId};
use diesel::{QueryResult, RunQueryDsl};

/// A statement whose text never varies, so that preparing it once is enough.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Cached<Q>(pub(crate) Q);

impl<Q> QueryId for Cached<Q> {
    type QueryId = ();
    // The statement's text is the key of the cache.
    const HAS_STATIC_QUERY_ID: bool = false;
}

impl<DB: Backend, Q: QueryFragment<DB>> QueryFragment<DB> for Cached<Q> {
    fn walk_ast<'b>(&'b self, pass: AstPass<'_, 'b, DB>) -> QueryResult<()> {
        self.0.walk_ast(pass)
    }

    fn is_safe_to_cache_prepared(&self, _backend: &DB) -> QueryResult<bool> {
        Ok(true)
    }
}

impl<Q: Query> Query for Cached<Q> {
    type SqlType = Q::SqlType;
}

impl<Q, Connection> RunQueryDsl<Connection> for Cached<Q> {}
