//! The single page of the front end, which does its own routing. What depends on the path is written into
//! it before it is sent: title, description and link preview, the layout of the placeholder that is shown
//! until the scripts run, and which script files the browser may begin to load at once.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use actix_web::http::StatusCode;
use actix_web::http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY};
use actix_web::{HttpRequest, HttpResponse, web};
use rand::TryRng;
use rand::rngs::{SysError, SysRng};
use serde::Deserialize;

use super::embedded::{REVALIDATE, embedded};
use super::paths::is_path_of;
use crate::session;
use crate::state::Application;

pub(super) const PAGE: &str = "index.html";
const MANIFEST: &str = ".vite/manifest.json";
/// The module that runs first; `index.html` loads its chunks itself.
const ENTRY: &str = "index.html";
const LOGIN: &str = "/auth";
const DASHBOARD: &str = "/dashboard";
const GAMES: &str = "src/games/";

/// The placeholder for the nonce.
const NONCE_PLACEHOLDER: &str = "__CSP_NONCE__";
/// The placeholder for whether the visitor may be signed in, which the page cannot see itself
/// because the cookie is HTTP-only.
const SESSION_PLACEHOLDER: &str = "__SESSION__";
/// The placeholder for the layout of what is shown until the scripts run.
const LAYOUT_PLACEHOLDER: &str = "__LAYOUT__";
/// Around the title and the description, which are replaced.
/// Where the placeholder of the page says what is being loaded.
const LOADING_TEXT: &str = "<!-- loading -->";
const HEAD_BEGINS: &str = "<!-- page -->";
const HEAD_ENDS: &str = "<!-- /page -->";

/// Who a page is for; others are sent elsewhere by the front end.
#[derive(Clone, Copy, Default, Deserialize, PartialEq)]
#[serde(rename_all = "lowercase")]
enum Audience {
    Visitors,
    Players,
    #[default]
    Everyone,
}

/// What is known about a page before its scripts run.
#[derive(Default, Deserialize)]
struct Text {
    title: String,
    description: String,
    audience: Audience,
    /// The modules that the front end's router loads for it.
    modules: Vec<String>,
}

#[derive(Default, Deserialize)]
struct Texts {
    unknown: Text,
    pages: BTreeMap<String, Text>,
}

/// A file of the front end's build.
#[derive(Deserialize)]
struct Chunk {
    file: String,
    #[serde(default)]
    imports: Vec<String>,
}

type Manifest = BTreeMap<String, Chunk>;

/// The front end's tests check that it has every path of the router.
static TEXTS: LazyLock<Texts> = LazyLock::new(|| {
    let text = include_str!("../../../../frontend/src/app/page-texts.json");
    serde_json::from_str(text).unwrap_or_default()
});

/// Empty if the front end was not built.
static CHUNKS: LazyLock<Manifest> = LazyLock::new(|| {
    embedded(MANIFEST)
        .and_then(|file| serde_json::from_slice(&file.data).ok())
        .unwrap_or_default()
});

/// The page for a path.
pub(super) fn page(request: &HttpRequest, status: StatusCode) -> HttpResponse {
    let file = embedded(PAGE);
    let Some(template) = file
        .as_ref()
        .and_then(|file| std::str::from_utf8(&file.data).ok())
    else {
        return HttpResponse::NotFound()
            .content_type("text/plain; charset=utf-8")
            .body("This server was built without its front end. Build it with: cargo xtask start");
    };
    let Ok(nonce) = nonce() else {
        return HttpResponse::InternalServerError().finish();
    };
    let public_url = request
        .app_data::<web::Data<Application>>()
        .map_or("", |application| application.settings.public_url.as_str());
    let shown = Shown {
        path: (status == StatusCode::OK).then(|| canonical(request.path())),
        may_have_session: session::has_cookie(request),
        public_url: public_url.trim_end_matches('/'),
    };
    HttpResponse::build(status)
        .content_type("text/html; charset=utf-8")
        .insert_header((CACHE_CONTROL, REVALIDATE))
        .insert_header((CONTENT_SECURITY_POLICY, policy(&nonce)))
        .body(shown.fill(template, &nonce, &CHUNKS))
}

/// The one spelling of a path: the router ignores case, and slashes at both ends.
fn canonical(path: &str) -> String {
    let path = path.trim_matches('/').to_ascii_lowercase();
    if path == PAGE {
        "/".to_owned()
    } else {
        format!("/{path}")
    }
}

/// One page for one visitor.
struct Shown<'a> {
    /// `None` if there is no such page.
    path: Option<String>,
    may_have_session: bool,
    public_url: &'a str,
}

impl Shown<'_> {
    fn fill(&self, template: &str, nonce: &str, chunks: &Manifest) -> String {
        let session = if self.may_have_session {
            "possible"
        } else {
            "none"
        };
        let text = template
            .replace(NONCE_PLACEHOLDER, nonce)
            .replace(SESSION_PLACEHOLDER, session)
            .replace(LAYOUT_PLACEHOLDER, self.layout())
            .replace(LOADING_TEXT, &self.loading_text());
        let Some((before, rest)) = text.split_once(HEAD_BEGINS) else {
            return text;
        };
        let after = rest.split_once(HEAD_ENDS).map_or(rest, |(_, after)| after);
        format!("{before}{}{after}", self.head(chunks))
    }

    /// The texts of the page; those of a game in the dashboard are the game's.
    fn text(&self) -> &'static Text {
        let Some(path) = &self.path else {
            return &TEXTS.unknown;
        };
        let game = path.strip_prefix(DASHBOARD).unwrap_or_default();
        let with_parameter = || {
            let mut pages = TEXTS.pages.iter();
            pages.find_map(|(route, text)| is_path_of(route, path).then_some(text))
        };
        TEXTS
            .pages
            .get(path)
            .or_else(|| TEXTS.pages.get(game))
            .or_else(with_parameter)
            .unwrap_or(&TEXTS.unknown)
    }

    /// The page that this visitor will see, and the game in it if there is one.
    fn shown_texts(&self) -> impl Iterator<Item = &'static Text> {
        let text = self.text();
        let texts = match (text.audience, self.may_have_session) {
            (Audience::Players, false) => vec![TEXTS.pages.get(LOGIN)],
            (Audience::Visitors, true) => vec![TEXTS.pages.get(DASHBOARD)],
            _ if self.is_in_dashboard() => vec![TEXTS.pages.get(DASHBOARD), Some(text)],
            _ => vec![Some(text)],
        };
        texts.into_iter().flatten()
    }

    /// The modules of the page that this visitor will see.
    fn modules(&self) -> Vec<&'static str> {
        let modules = self.shown_texts().flat_map(|text| &text.modules);
        modules.map(String::as_str).collect()
    }

    /// The title and the description of the page, which can be read before any script has run.
    fn loading_text(&self) -> String {
        let Some(text) = self.shown_texts().next() else {
            return String::new();
        };
        let [title, description] = [&text.title, &text.description].map(|text| escaped(text));
        format!("<p class=\"loading-title\">{title}</p><p class=\"loading-text\">{description}</p>")
    }

    fn is_in_dashboard(&self) -> bool {
        self.path
            .as_ref()
            .is_some_and(|path| path.starts_with(DASHBOARD) && path != DASHBOARD)
    }

    fn layout(&self) -> &'static str {
        let is_game = self.modules().iter().any(|name| name.starts_with(GAMES));
        if is_game { "game" } else { "page" }
    }

    fn head(&self, chunks: &Manifest) -> String {
        let text = self.text();
        let title = escaped(&format!("{} · Glasshouse", text.title));
        let description = escaped(&text.description);
        let mut lines = vec![
            format!("<title>{title}</title>"),
            format!("<meta name=\"description\" content=\"{description}\" />"),
        ];
        if let Some(path) = &self.path {
            lines.extend(self.preview(path, &title, &description));
        } else {
            lines.push("<meta name=\"robots\" content=\"noindex\" />".to_owned());
        }
        for file in preloaded(&self.modules(), chunks) {
            let file = escaped(file);
            lines.push(format!(
                "<link rel=\"modulepreload\" crossorigin href=\"/{file}\" />"
            ));
        }
        lines.join("\n    ")
    }

    /// What other sites show of a link to this page.
    fn preview(&self, path: &str, title: &str, description: &str) -> Vec<String> {
        let address = escaped(&format!("{}{path}", self.public_url));
        let image = escaped(&format!("{}/preview.png", self.public_url));
        let mut lines = vec![
            format!("<link rel=\"canonical\" href=\"{address}\" />"),
            "<meta name=\"twitter:card\" content=\"summary_large_image\" />".to_owned(),
        ];
        for (property, content) in [
            ("og:type", "website"),
            ("og:site_name", "Glasshouse"),
            ("og:title", title),
            ("og:description", description),
            ("og:url", address.as_str()),
            ("og:image", image.as_str()),
            ("og:image:width", "1200"),
            ("og:image:height", "630"),
            ("og:image:alt", "Glasshouse: the casino you can see through"),
        ] {
            lines.push(format!(
                "<meta property=\"{property}\" content=\"{content}\" />"
            ));
        }
        lines
    }
}

/// The files that the modules need besides those of the entry.
fn preloaded<'a>(modules: &[&str], chunks: &'a Manifest) -> Vec<&'a str> {
    let entry = files_of(&[ENTRY], chunks);
    let files = files_of(modules, chunks);
    files.difference(&entry).copied().collect()
}

/// The files of the modules, and of what they import statically.
fn files_of<'a>(modules: &[&str], chunks: &'a Manifest) -> BTreeSet<&'a str> {
    let mut files = BTreeSet::new();
    let mut open = modules.to_vec();
    while let Some(name) = open.pop() {
        let Some(chunk) = chunks.get(name) else {
            continue;
        };
        if files.insert(chunk.file.as_str()) {
            open.extend(chunk.imports.iter().map(String::as_str));
        }
    }
    files
}

/// For the text and the attributes of HTML.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
        .replace('\'', "&#39;")
}

fn nonce() -> Result<String, SysError> {
    let mut bytes = [0; 16];
    SysRng.try_fill_bytes(&mut bytes)?;
    Ok(hex::encode(bytes))
}

fn policy(nonce: &str) -> String {
    format!(
        "default-src 'self'; script-src 'self' 'nonce-{nonce}'; style-src 'self' 'nonce-{nonce}'; \
         img-src 'self' data:; font-src 'self'; connect-src 'self'; worker-src 'self'; \
         manifest-src 'self'; object-src 'none'; \
         base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEMPLATE: &str = "<head><!-- page --><title>Glasshouse</title><!-- /page --></head>\
         <body nonce=\"__CSP_NONCE__\" class=\"__LAYOUT__ __SESSION__\"><!-- loading -->";

    fn chunks() -> Manifest {
        let text = r#"{
            "index.html": { "file": "assets/index.js", "imports": ["_libraries.js"] },
            "_libraries.js": { "file": "assets/libraries.js" },
            "_kit.js": { "file": "assets/kit.js", "imports": ["_libraries.js", "index.html"] },
            "src/games/dice/page.tsx": { "file": "assets/dice.js", "imports": ["_kit.js"] },
            "src/app/routes/dashboard.tsx": { "file": "assets/dashboard.js" },
            "src/app/routes/auth.tsx": { "file": "assets/auth.js", "imports": ["_kit.js"] }
        }"#;
        serde_json::from_str(text).unwrap()
    }

    fn shown(path: Option<&str>, may_have_session: bool) -> String {
        let shown = Shown {
            path: path.map(canonical),
            may_have_session,
            public_url: "https://play.example?a=\"<b>&'",
        };
        shown.fill(TEMPLATE, "abc", &chunks())
    }

    fn files(page: &str) -> Vec<&str> {
        let links = page.split("crossorigin href=\"/assets/").skip(1);
        links.filter_map(|link| link.split('"').next()).collect()
    }

    #[test]
    fn each_path_has_its_title_and_preview() {
        let dice = shown(Some("//Dice/"), true);
        assert!(dice.contains("<title>Dice · Glasshouse</title>"), "{dice}");
        assert_eq!(dice.matches("<title>").count(), 1);
        assert!(dice.contains("\"og:title\" content=\"Dice · Glasshouse\""));
        assert!(dice.contains("nonce=\"abc\" class=\"game possible\""));
        let history = shown(Some("/history"), true);
        assert!(history.contains("<title>Game History · Glasshouse</title>"));
        assert!(history.contains("class=\"page possible\""));
        let game = shown(Some("/dashboard/dice"), true);
        assert!(game.contains("<title>Dice · Glasshouse</title>"));
    }

    #[test]
    fn what_is_loaded_is_said_before_any_script_has_run() {
        let says = |path: &str, may_have_session: bool, title: &str| {
            let page = shown(Some(path), may_have_session);
            let text = format!("<p class=\"loading-title\">{title}</p><p class=\"loading-text\">");
            assert!(page.contains(&text), "{path}: {page}");
        };
        says("/dice", true, "Dice");
        says("/dice", false, "Login");
        says("/", false, "The casino you can see through");
        says("/", true, "Dashboard");
        says("/dashboard/dice", true, "Dashboard");
    }

    #[test]
    fn addresses_are_escaped() {
        let page = shown(Some("/dice"), false);
        let address = "href=\"https://play.example?a=&quot;&lt;b&gt;&amp;&#39;/dice\"";
        assert!(page.contains(address), "{page}");
        assert!(!page.contains("<b>"));
    }

    #[test]
    fn an_unknown_page_is_not_listed_by_search_engines() {
        let page = shown(None, false);
        assert!(page.contains("<title>404 Page Not Found · Glasshouse</title>"));
        assert!(page.contains("content=\"noindex\""));
        assert!(!page.contains("canonical"));
    }

    #[test]
    fn the_files_of_the_page_that_will_be_shown_are_loaded_at_once() {
        assert_eq!(files(&shown(Some("/dice"), true)), ["dice.js", "kit.js"]);
        assert_eq!(files(&shown(Some("/dice"), false)), ["auth.js", "kit.js"]);
        assert_eq!(files(&shown(Some("/"), true)), ["dashboard.js"]);
        assert_eq!(
            files(&shown(Some("/dashboard/dice"), true)),
            ["dashboard.js", "dice.js", "kit.js"]
        );
        assert!(preloaded(&["src/games/dice/page.tsx"], &Manifest::new()).is_empty());
    }
}
