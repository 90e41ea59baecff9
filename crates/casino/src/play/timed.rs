//! Timed rounds, which end at a given moment.

pub(crate) mod end;
pub(crate) mod end_streams;
pub(crate) mod events;
pub(crate) mod listen;
pub(crate) mod remote_changes;
pub(crate) mod schedule;

pub use end::{end_rounds, open_rounds};
pub use end_streams::end_streams;
pub use listen::{close_all_streams, forget_closed_streams, listen_in_session, listen_to_rounds};
