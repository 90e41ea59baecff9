//! The layout that all pages share. maud escapes all text.

use maud::{DOCTYPE, Markup, html};

/// A complete page; with `refresh`, it reloads after that many seconds.
pub(super) fn page(title: &str, refresh: Option<u32>, content: &Markup) -> String {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="dark";
                @if let Some(seconds) = refresh {
                    meta http-equiv="refresh" content=(seconds);
                }
                title { (title) " – Sandbox payments" }
                link rel="stylesheet" href="/sandbox/style.css";
            }
            body {
                header {
                    p { "Sandbox payments " span.badge { "test, no real money" } }
                    nav aria-label="Sandbox" {
                        a href="/sandbox" { "All invoices" }
                        " "
                        a href="/sandbox/mails" { "Mails" }
                    }
                }
                main {
                    h1 { (title) }
                    (content)
                }
            }
        }
    };
    page.into_string()
}

/// A section with a heading.
pub(super) fn section(id: &str, title: &str, content: &Markup) -> Markup {
    html! {
        section aria-labelledby=(id) {
            h2 id=(id) { (title) }
            (content)
        }
    }
}

/// An entry of a description list.
pub(super) fn term(name: &str, value: &str) -> Markup {
    html! {
        div { dt { (name) } dd { (value) } }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_escaped() {
        let content = term("<script>\"&", "");
        assert!(
            content.0.contains("&lt;script&gt;&quot;&amp;"),
            "{content:?}"
        );
        let whole = page("<b>", Some(2), &html! {});
        assert!(!whole.contains("<b>") && !whole.contains("<script"));
    }
}
