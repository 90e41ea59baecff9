//! HTML put together, with every text in it escaped.

/// A piece of HTML.
#[derive(Debug, Default)]
pub(super) struct Html(String);

impl Html {
    /// Our own markup.
    pub(super) fn raw(&mut self, markup: &str) -> &mut Self {
        self.0.push_str(markup);
        self
    }

    /// Somebody's text, in an element or between the quotes of an attribute.
    pub(super) fn text(&mut self, text: &str) -> &mut Self {
        for character in text.chars() {
            match character {
                '&' => self.0.push_str("&amp;"),
                '<' => self.0.push_str("&lt;"),
                '>' => self.0.push_str("&gt;"),
                '"' => self.0.push_str("&quot;"),
                '\'' => self.0.push_str("&#39;"),
                other => self.0.push(other),
            }
        }
        self
    }

    /// A row of a list of terms.
    pub(super) fn row(&mut self, term: &str, value: &str) -> &mut Self {
        self.raw("<div><dt>")
            .text(term)
            .raw("</dt><dd>")
            .text(value)
            .raw("</dd></div>")
    }
}

/// A whole page; with `refresh`, one that loads itself again after so many seconds.
pub(super) fn page(title: &str, refresh: Option<u32>, content: &Html) -> String {
    let mut html = Html::default();
    html.raw("<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\">")
        .raw("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">")
        .raw("<meta name=\"color-scheme\" content=\"dark\">");
    if let Some(seconds) = refresh {
        html.raw(&format!(
            "<meta http-equiv=\"refresh\" content=\"{seconds}\">"
        ));
    }
    html.raw("<title>")
        .text(title)
        .raw(" – Sandbox payments</title>")
        .raw("<link rel=\"stylesheet\" href=\"/sandbox/style.css\"></head><body>")
        .raw("<header><p>Sandbox payments <span class=\"badge\">test, no real money</span></p>")
        .raw("<nav aria-label=\"Sandbox\"><a href=\"/sandbox\">All invoices</a></nav></header>")
        .raw("<main><h1>")
        .text(title)
        .raw("</h1>")
        .raw(&content.0)
        .raw("</main></body></html>");
    html.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_escaped() {
        let mut content = Html::default();
        content.text("<script>'\"&");
        assert_eq!(content.0, "&lt;script&gt;&#39;&quot;&amp;");
        let whole = page("<b>", Some(2), &Html::default());
        assert!(!whole.contains("<b>") && !whole.contains("<script"));
    }
}
