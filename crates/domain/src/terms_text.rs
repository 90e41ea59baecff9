//! The text of the Terms of Service.

/// The most bytes of a text: about fifty printed pages.
const MAXIMUM_BYTES: usize = 200_000;

/// The text of a version of the Terms of Service: plain text, in which blank lines separate paragraphs,
/// a line that begins with `# ` is a heading and one that begins with `- ` an item of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TermsText(String);

/// Why a text cannot be published.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum TermsTextError {
    /// There is nothing to agree to.
    #[error("The text is empty")]
    Empty,
    /// The text is too long.
    #[error("The text has more than {MAXIMUM_BYTES} bytes")]
    TooLong,
    /// The text contains a character that would not be shown.
    #[error("The text contains a control character other than line breaks and tabs")]
    ControlCharacter,
}

impl TermsText {
    /// Takes a text with Unix line breaks, without white space around it.
    ///
    /// # Errors
    /// If the text is empty, has more than 200,000 bytes or contains a control character.
    pub fn parse(text: &str) -> Result<Self, TermsTextError> {
        let text = text.trim_start_matches('\u{feff}').replace("\r\n", "\n");
        let text = text.trim();
        if text.is_empty() {
            return Err(TermsTextError::Empty);
        }
        if text.len() > MAXIMUM_BYTES {
            return Err(TermsTextError::TooLong);
        }
        if text
            .chars()
            .any(|each| each.is_control() && !matches!(each, '\n' | '\t'))
        {
            return Err(TermsTextError::ControlCharacter);
        }
        Ok(Self(text.to_owned()))
    }

    /// The text.
    #[must_use]
    pub fn into_string(self) -> String {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_tidied() {
        let parsed = TermsText::parse("\u{feff}\r\n# Terms\r\n\r\nBe fair.\r\n ").unwrap();
        assert_eq!(parsed.into_string(), "# Terms\n\nBe fair.");
    }

    #[test]
    fn texts_that_nobody_can_read_are_refused() {
        let longest = "x".repeat(MAXIMUM_BYTES);
        assert!(TermsText::parse(&longest).is_ok());
        for (text, error) in [
            ("", TermsTextError::Empty),
            (" \n\t", TermsTextError::Empty),
            (&format!("{longest}x"), TermsTextError::TooLong),
            ("a\u{0}b", TermsTextError::ControlCharacter),
            ("a\u{1b}[2Jb", TermsTextError::ControlCharacter),
        ] {
            assert_eq!(TermsText::parse(text), Err(error));
        }
    }
}
