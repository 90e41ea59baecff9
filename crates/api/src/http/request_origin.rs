//! Where a request comes from, as an account's owner can recognise it.

use actix_web::HttpRequest;
use actix_web::http::header::USER_AGENT;
use glasshouse_casino::RequestOrigin;
use woothee::parser::Parser;

use crate::http::client_ip::address_of;
use crate::http::device::known_device;
use crate::state::Application;

/// What the parser returns for what it does not recognise.
const UNKNOWN: &str = "UNKNOWN";
/// How the parser classifies what a person uses.
const BROWSER: &str = "browser";
/// No longer user agent is parsed.
const MAXIMUM_AGENT_BYTES: usize = 512;

/// Where a request about this account comes from.
pub(crate) fn origin_of(
    application: &Application,
    request: &HttpRequest,
    username: &str,
) -> RequestOrigin {
    let agent = request.headers().get(USER_AGENT);
    RequestOrigin {
        device: agent
            .and_then(|agent| agent.to_str().ok())
            .and_then(device_name),
        address: Some(address_of(request).to_canonical().to_string()),
        is_new_device: known_device(application, request, username).is_none(),
    }
}

/// The browser and operating system of a user agent, such as "Firefox on Linux".
fn device_name(agent: &str) -> Option<String> {
    if agent.len() > MAXIMUM_AGENT_BYTES {
        return None;
    }
    let found = Parser::new().parse(agent)?;
    if found.name == UNKNOWN {
        return None;
    }
    if found.browser_type != BROWSER {
        return Some("A program".to_owned());
    }
    let system = match found.os {
        UNKNOWN => return Some(found.name.to_owned()),
        "Mac OSX" => "macOS",
        // Browsers tell the same version for all later ones.
        windows if windows.starts_with("Windows ") => "Windows",
        other => other,
    };
    Some(format!("{} on {system}", found.name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn devices_are_named_by_browser_and_system() {
        for (agent, expected) in [
            (
                "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
                Some("Firefox on Linux"),
            ),
            (
                "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) \
                 Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0",
                Some("Edge on Windows"),
            ),
            (
                "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) \
                 Chrome/142.0.0.0 Mobile Safari/537.36",
                Some("Chrome on Android"),
            ),
            (
                "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 \
                 (KHTML, like Gecko) Version/26.0 Mobile/15E148 Safari/604.1",
                Some("Safari on iPhone"),
            ),
            (
                "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like \
                 Gecko) Version/26.0 Safari/605.1.15",
                Some("Safari on macOS"),
            ),
            ("curl/8.14.1", Some("A program")),
            ("", None),
            ("<script>alert(1)</script>", None),
        ] {
            assert_eq!(device_name(agent).as_deref(), expected, "{agent}");
        }
        assert_eq!(device_name(&"Firefox/1 ".repeat(100)), None);
    }
}
