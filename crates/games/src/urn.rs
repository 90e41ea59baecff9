//! Drawing without replacement, the same for cards and for cells (`docs/games.md#cards`).

use crate::fairness::Stream;

/// What is left to be drawn, in its stated order.
pub(crate) struct Urn<T>(Vec<T>);

impl<T> Urn<T> {
    /// An urn with these things, none of which is drawn yet.
    pub(crate) fn new(things: impl IntoIterator<Item = T>) -> Self {
        Self(things.into_iter().collect())
    }

    /// The next thing: the one at `below(how many are left)`. There must be one.
    pub(crate) fn draw(&mut self, stream: &mut Stream) -> T {
        let left = u32::try_from(self.0.len()).unwrap_or(u32::MAX);
        let index = usize::try_from(stream.below(left)).unwrap_or_default();
        self.0.remove(index)
    }

    /// The next `N` things. There must be as many.
    pub(crate) fn draw_several<const N: usize>(&mut self, stream: &mut Stream) -> [T; N] {
        std::array::from_fn(|_| self.draw(stream))
    }
}
