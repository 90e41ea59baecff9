//! SQL with constant text, whose prepared statements are cached.
//!
//! diesel caches a prepared statement only if its query builder can prove that the text is
//! constant, which excludes every UPDATE and `sql_query`. The statements of a bet have constant
//! text, and parsing them each time would cost more than running them. Each has a type of its own, by
//! which diesel finds the prepared statement without building the text again.

use std::marker::PhantomData;

use diesel::backend::Backend;
use diesel::pg::Pg;
use diesel::query_builder::{AstPass, Query, QueryFragment, QueryId};
use diesel::result::Error;
use diesel::serialize::ToSql;
use diesel::sql_types::{HasSqlType, Untyped};
use diesel::{QueryResult, RunQueryDsl};

/// SQL with constant text and a `?` for each parameter, as a [`CachedSql`].
macro_rules! cached_sql {
    ($text:expr $(,)?) => {{
        struct Statement;
        impl $crate::engine::cached_sql::ConstantText for Statement {
            const PARTS: &'static [&'static str] = &$crate::engine::cached_sql::parts::<
                { $crate::engine::cached_sql::count_parts($text) },
            >($text);
        }
        $crate::engine::cached_sql::CachedSql::<Statement>::new()
    }};
}
pub(crate) use cached_sql;

/// The text of one statement.
pub(crate) trait ConstantText: 'static {
    /// The parts of the text between the parameters.
    const PARTS: &'static [&'static str];
}

/// How many parts a text has between its parameters.
pub(crate) const fn count_parts(text: &str) -> usize {
    let mut count = 1;
    let mut rest = text.as_bytes();
    while let [first, others @ ..] = rest {
        if *first == b'?' {
            count += 1;
        }
        rest = others;
    }
    count
}

/// The parts of a text between its parameters.
#[expect(clippy::indexing_slicing, reason = "the compiler evaluates it")]
pub(crate) const fn parts<const COUNT: usize>(text: &str) -> [&str; COUNT] {
    let mut parts = [""; COUNT];
    let (mut rest, mut part, mut length) = (text, 0, 0);
    while length < rest.len() {
        if rest.as_bytes()[length] == b'?' {
            let (before, after) = rest.split_at(length);
            parts[part] = before;
            (_, rest) = after.split_at(1);
            (part, length) = (part + 1, 0);
        } else {
            length += 1;
        }
    }
    parts[part] = rest;
    parts
}

/// See [`cached_sql`].
pub(crate) struct CachedSql<S>(PhantomData<S>);

impl<S: ConstantText> CachedSql<S> {
    pub(crate) const fn new() -> Self {
        Self(PhantomData)
    }
}

/// A statement with one more bound parameter.
pub(crate) struct WithValue<S, ST, V> {
    statement: S,
    value: V,
    sql_type: PhantomData<ST>,
}

/// Binds the parameters of a statement, in order.
pub(crate) trait Bind: Sized {
    /// Binds the next parameter, of SQL type `ST`.
    fn bind<ST, V>(self, value: V) -> WithValue<Self, ST, V> {
        WithValue {
            statement: self,
            value,
            sql_type: PhantomData,
        }
    }
}

impl<S> Bind for CachedSql<S> {}
impl<S, ST, V> Bind for WithValue<S, ST, V> {}

/// Implemented by both kinds of statements: writes the text up to the last bound parameter and
/// returns the remaining parts.
trait SqlFragments<DB: Backend> {
    fn walk<'b>(&'b self, pass: AstPass<'_, 'b, DB>) -> QueryResult<&'static [&'static str]>;
}

impl<DB: Backend, S: ConstantText> SqlFragments<DB> for CachedSql<S> {
    fn walk<'b>(&'b self, mut pass: AstPass<'_, 'b, DB>) -> QueryResult<&'static [&'static str]> {
        let (first, others) = S::PARTS.split_first().unwrap_or((&"", &[]));
        pass.push_sql(first);
        Ok(others)
    }
}

impl<DB, S, ST, V> SqlFragments<DB> for WithValue<S, ST, V>
where
    DB: Backend + HasSqlType<ST>,
    S: SqlFragments<DB>,
    V: ToSql<ST, DB>,
{
    fn walk<'b>(&'b self, mut pass: AstPass<'_, 'b, DB>) -> QueryResult<&'static [&'static str]> {
        let parts = self.statement.walk(pass.reborrow())?;
        let (part, others) = parts.split_first().ok_or_else(too_many_values)?;
        pass.push_bind_param(&self.value)?;
        pass.push_sql(part);
        Ok(others)
    }
}

fn too_many_values() -> Error {
    Error::QueryBuilderError("more values than parameters".into())
}

/// Refuses a statement of which a part is left, because a parameter before it has no value.
fn at_end(next: Option<&str>) -> QueryResult<()> {
    match next {
        None => Ok(()),
        Some(_) => Err(Error::QueryBuilderError(
            "fewer values than parameters".into(),
        )),
    }
}

impl<DB: Backend, S: ConstantText> QueryFragment<DB> for CachedSql<S> {
    fn walk_ast<'b>(&'b self, pass: AstPass<'_, 'b, DB>) -> QueryResult<()> {
        at_end(self.walk(pass)?.first().copied())
    }
}

impl<DB: Backend, S, ST, V> QueryFragment<DB> for WithValue<S, ST, V>
where
    Self: SqlFragments<DB>,
{
    fn walk_ast<'b>(&'b self, pass: AstPass<'_, 'b, DB>) -> QueryResult<()> {
        at_end(self.walk(pass)?.first().copied())
    }
}

/// A statement for PostgreSQL that consists of several parts, each with its parameters.
pub(crate) struct JoinedSql<'v> {
    text: &'static str,
    values: Values<'v>,
}

/// The parameters of a part of a [`JoinedSql`], in order.
pub(crate) type Values<'v> = Vec<Box<dyn BoundValue + 'v>>;

impl<'v> JoinedSql<'v> {
    /// `values` are those of all parts, in the order of their `?` in the text.
    pub(crate) const fn new(text: &'static str, values: Values<'v>) -> Self {
        Self { text, values }
    }
}

/// A value with its SQL type.
pub(crate) trait BoundValue {
    fn push<'b>(&'b self, pass: AstPass<'_, 'b, Pg>) -> QueryResult<()>;
}

struct Typed<ST, V> {
    value: V,
    sql_type: PhantomData<ST>,
}

impl<ST, V: ToSql<ST, Pg>> BoundValue for Typed<ST, V>
where
    Pg: HasSqlType<ST>,
{
    fn push<'b>(&'b self, mut pass: AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        pass.push_bind_param(&self.value)
    }
}

/// A parameter of a [`JoinedSql`], of SQL type `ST`.
pub(crate) fn bound<'v, ST: 'v, V: ToSql<ST, Pg> + 'v>(value: V) -> Box<dyn BoundValue + 'v>
where
    Pg: HasSqlType<ST>,
{
    Box::new(Typed {
        value,
        sql_type: PhantomData::<ST>,
    })
}

impl QueryFragment<Pg> for JoinedSql<'_> {
    fn walk_ast<'b>(&'b self, mut pass: AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        let mut parts = self.text.split('?');
        pass.push_sql(parts.next().unwrap_or_default());
        for value in &self.values {
            let part = parts.next().ok_or_else(too_many_values)?;
            value.push(pass.reborrow())?;
            pass.push_sql(part);
        }
        at_end(parts.next())
    }
}

// Its prepared statement is found by the text.
impl QueryId for JoinedSql<'_> {
    type QueryId = ();
    const HAS_STATIC_QUERY_ID: bool = false;
}

impl Query for JoinedSql<'_> {
    type SqlType = Untyped;
}

impl<Connection> RunQueryDsl<Connection> for JoinedSql<'_> {}

impl<S: ConstantText> QueryId for CachedSql<S> {
    type QueryId = S;
    const HAS_STATIC_QUERY_ID: bool = true;
}

impl<S: QueryId, ST: 'static, V> QueryId for WithValue<S, ST, V> {
    type QueryId = (S::QueryId, ST);
    const HAS_STATIC_QUERY_ID: bool = S::HAS_STATIC_QUERY_ID;
}

impl<S> Query for CachedSql<S> {
    type SqlType = Untyped;
}

impl<S, ST, V> Query for WithValue<S, ST, V> {
    type SqlType = Untyped;
}

impl<S, Connection> RunQueryDsl<Connection> for CachedSql<S> {}
impl<S, ST, V, Connection> RunQueryDsl<Connection> for WithValue<S, ST, V> {}

#[cfg(test)]
mod tests {
    use std::any::TypeId;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use diesel::connection::InstrumentationEvent;
    use diesel::sql_types::{BigInt, Text};
    use diesel::{Connection as _, QueryableByName, RunQueryDsl as _, SqliteConnection};

    use super::*;

    #[derive(QueryableByName)]
    struct Row {
        #[diesel(sql_type = BigInt)]
        number: i64,
        #[diesel(sql_type = Text)]
        text: String,
    }

    #[test]
    fn values_are_bound_in_order_and_each_text_is_prepared_once() {
        let mut connection = SqliteConnection::establish(":memory:").unwrap();
        let prepared = Arc::new(AtomicUsize::new(0));
        let counter = Arc::clone(&prepared);
        connection.set_instrumentation(move |event: InstrumentationEvent<'_>| {
            if matches!(event, InstrumentationEvent::CacheQuery { .. }) {
                counter.fetch_add(1, Ordering::Relaxed);
            }
        });
        cached_sql!("CREATE TABLE kept (number INTEGER, text TEXT)")
            .execute(&mut connection)
            .unwrap();
        for number in 1..=3 {
            cached_sql!("INSERT INTO kept (number, text) VALUES (?, ? || '!')")
                .bind::<BigInt, _>(number)
                .bind::<Text, _>("row")
                .execute(&mut connection)
                .unwrap();
        }
        let row: Row = cached_sql!("SELECT number, text FROM kept WHERE number = ?")
            .bind::<BigInt, _>(2)
            .get_result(&mut connection)
            .unwrap();
        assert_eq!((row.number, row.text.as_str()), (2, "row!"));
        assert_eq!(
            prepared.load(Ordering::Relaxed),
            3,
            "each text is prepared once"
        );
    }

    #[test]
    fn texts_are_split_at_their_parameters() {
        const TEXT: &str = "?, ‘?’ and ?";
        assert_eq!(
            parts::<{ count_parts(TEXT) }>(TEXT),
            ["", ", ‘", "’ and ", ""]
        );
        assert_eq!(parts::<{ count_parts("none") }>("none"), ["none"]);
    }

    #[test]
    fn statements_are_told_apart_by_their_texts_and_types() {
        fn id_of<Q: QueryId>(_: &Q) -> Option<TypeId> {
            Q::query_id()
        }
        let numbered = || cached_sql!("SELECT ?");
        let number = id_of(&numbered().bind::<BigInt, _>(1));
        assert!(number.is_some());
        assert_eq!(number, id_of(&numbered().bind::<BigInt, _>(2)));
        assert_ne!(number, id_of(&numbered().bind::<Text, _>("1")));
        assert_ne!(number, id_of(&cached_sql!("SELECT ?").bind::<BigInt, _>(1)));
    }

    #[test]
    fn too_many_and_too_few_values_are_refused() {
        let mut connection = SqliteConnection::establish(":memory:").unwrap();
        let one = || cached_sql!("SELECT ?, ?").bind::<BigInt, _>(1);
        assert!(one().execute(&mut connection).is_err());
        let two = || one().bind::<BigInt, _>(2);
        assert!(two().execute(&mut connection).is_ok());
        assert!(two().bind::<BigInt, _>(3).execute(&mut connection).is_err());
    }
}
