//! The cookie that identifies a device to the accounts that have signed in on it.
//!
//! It does not sign anybody in. It exempts the device from the limits that failed logins from
//! elsewhere cause, so that an attacker cannot lock out an account's owner.

use actix_web::HttpRequest;
use actix_web::cookie::time::Duration;
use actix_web::cookie::{Cookie, CookieJar, Key, SameSite};
use rand::TryRng;
use rand::rngs::SysRng;

use crate::error::ApiError;
use crate::state::{Application, Settings};

/// How long a device is remembered after its last sign-in.
const DEVICE_COOKIE_LIFETIME: Duration = Duration::days(180);
/// The number of accounts remembered per device; older ones are dropped.
const ACCOUNTS: usize = 5;
const ID_BYTES: usize = 16;
/// Separates the parts of the cookie; usernames cannot contain it.
const SEPARATOR: char = '.';

/// A device: its random ID and the usernames that have signed in on it, most recent first.
struct Device {
    id: String,
    accounts: Vec<String>,
}

fn cookie_name(settings: &Settings) -> &'static str {
    if settings.is_secure() {
        "__Host-glasshouse-device"
    } else {
        "glasshouse-device"
    }
}

fn read(application: &Application, request: &HttpRequest) -> Option<Device> {
    let name = cookie_name(&application.settings);
    let cookie = request.cookie(name)?;
    let mut jar = CookieJar::new();
    jar.add_original(cookie);
    parse(jar.signed(&application.device_key).get(name)?.value())
}

fn parse(text: &str) -> Option<Device> {
    let mut parts = text.split(SEPARATOR);
    let id = parts.next().filter(|id| id.len() == 2 * ID_BYTES)?;
    Some(Device {
        id: id.to_owned(),
        accounts: parts.take(ACCOUNTS).map(str::to_owned).collect(),
    })
}

/// The ID of the requesting device, if the account has signed in on it before.
pub(crate) fn known_device(
    application: &Application,
    request: &HttpRequest,
    username: &str,
) -> Option<String> {
    let device = read(application, request)?;
    let account = username.to_ascii_lowercase();
    device.accounts.contains(&account).then_some(device.id)
}

/// The cookie that records that the account has signed in on this device.
///
/// # Errors
/// If no random ID can be generated for a new device.
pub(crate) fn remember(
    application: &Application,
    request: &HttpRequest,
    username: &str,
) -> Result<Cookie<'static>, ApiError> {
    let account = username.to_ascii_lowercase();
    let mut device = match read(application, request) {
        Some(device) => device,
        None => Device {
            id: random_id()?,
            accounts: Vec::new(),
        },
    };
    device.accounts.retain(|name| *name != account);
    device.accounts.insert(0, account);
    device.accounts.truncate(ACCOUNTS);
    let mut parts = vec![device.id];
    parts.append(&mut device.accounts);
    let name = cookie_name(&application.settings);
    let cookie = Cookie::build(name, parts.join(&SEPARATOR.to_string()))
        .path("/")
        .http_only(true)
        .secure(application.settings.is_secure())
        .same_site(SameSite::Strict)
        .max_age(DEVICE_COOKIE_LIFETIME)
        .finish();
    Ok(signed(cookie, &application.device_key))
}

fn signed(cookie: Cookie<'static>, key: &Key) -> Cookie<'static> {
    let name = cookie.name().to_owned();
    let mut jar = CookieJar::new();
    jar.signed_mut(key).add(cookie.clone());
    jar.get(&name).cloned().unwrap_or(cookie)
}

fn random_id() -> Result<String, ApiError> {
    let mut bytes = [0; ID_BYTES];
    SysRng
        .try_fill_bytes(&mut bytes)
        .map_err(|error| ApiError::Session(error.to_string()))?;
    Ok(hex::encode(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_cookies_signed_by_the_server_are_accepted() {
        let key = Key::from(&[7; 64]);
        let device = format!("{}.alice.bob", "a".repeat(32));
        let cookie = signed(Cookie::new("device", device.clone()), &key);
        let read = |value: &str, key: &Key| {
            let mut jar = CookieJar::new();
            jar.add_original(Cookie::new("device", value.to_owned()));
            jar.signed(key)
                .get("device")
                .and_then(|cookie| parse(cookie.value()))
        };
        let device_read = read(cookie.value(), &key).unwrap();
        assert_eq!(device_read.accounts, ["alice", "bob"]);
        assert!(read(&device, &key).is_none(), "not signed");
        assert!(read(cookie.value(), &Key::from(&[8; 64])).is_none());
        assert!(parse("short.alice").is_none());
    }
}
