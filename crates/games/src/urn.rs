//! Drawing without replacement, for cards and for cells (`docs/games.md#cards`).

use crate::fairness::Stream;

/// The items not drawn yet, in their original order.
pub(crate) struct Urn<T>(Vec<T>);

impl<T> Urn<T> {
    /// Creates an urn with all items still in it.
    pub(crate) fn new(items: impl IntoIterator<Item = T>) -> Self {
        Self(items.into_iter().collect())
    }

    /// Draws the item at index `below(number of items left)`. The urn must not be empty.
    pub(crate) fn draw(&mut self, stream: &mut Stream) -> T {
        let left = u32::try_from(self.0.len()).unwrap_or(u32::MAX);
        let index = usize::try_from(stream.below(left)).unwrap_or_default();
        self.0.remove(index)
    }

    /// Draws `N` items. The urn must contain at least as many.
    pub(crate) fn draw_several<const N: usize>(&mut self, stream: &mut Stream) -> [T; N] {
        std::array::from_fn(|_| self.draw(stream))
    }
}
