//! Reading a log as it is served: bundles of entries, tiles of hashes, and the house's other public
//! pages.

mod house;
mod in_order;
mod source;
mod tiles;

pub(crate) use house::HouseConnection;
pub(crate) use in_order::InOrder;
pub use source::{LogSource, ServedBundle};
pub(crate) use source::{fetch_bundle, fetch_tile, first_of};
pub(crate) use tiles::{ServedTiles, TileFailure};
