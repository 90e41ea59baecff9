//! Enums of codes that clients tell cases apart by: each code stands with its name on the wire once.

/// Declares an enum of codes, with `ALL` of them and `as_str` for the name of each on the wire.
#[macro_export]
macro_rules! codes {
    (
        $(#[$attribute:meta])*
        $visibility:vis enum $name:ident { $($code:ident = $text:literal,)+ }
    ) => {
        $(#[$attribute])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        $visibility enum $name {
            $(
                #[doc = concat!("`", $text, "`")]
                $code,
            )+
        }

        impl $name {
            /// Every code.
            $visibility const ALL: &'static [Self] = &[$(Self::$code,)+];

            /// The name on the wire.
            #[must_use]
            $visibility const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$code => $text,)+
                }
            }
        }
    };
}
