//! Enums of error codes that clients branch on: each code is declared once, with its name on the
//! wire.

/// Declares an enum of codes with `ALL` and with `as_str`, which returns a code's name on the wire.
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
