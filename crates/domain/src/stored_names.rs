//! Names under which the values of an enum are stored. strum derives the conversions; the macro gives
//! every such enum the same methods.

/// Adds `ALL`, `as_str` and `parse` to enums that derive strum's `EnumString`, `IntoStaticStr` and
/// `VariantArray`.
macro_rules! stored_names {
    ($($name:ident),+) => {$(
        impl $name {
            /// Every value.
            pub const ALL: &'static [Self] = <Self as strum::VariantArray>::VARIANTS;

            /// The name in the database.
            #[must_use]
            pub fn as_str(self) -> &'static str {
                self.into()
            }

            /// Parses the name.
            #[must_use]
            pub fn parse(text: &str) -> Option<Self> {
                text.parse().ok()
            }
        }
    )+};
}
pub(crate) use stored_names;
