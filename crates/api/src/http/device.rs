//! The cookie by which a device is known to the accounts that have signed in there.
//!
//! It signs nobody in. It only says that wrong passwords elsewhere are not this device's, so that a
//! stranger's attempts never stand in the owner's way.

use actix_web::HttpRequest;
use actix_web::cookie::time::Duration;
use actix_web::cookie::{Cookie, CookieJar, Key, SameSite};
use rand::TryRng;
use rand::rngs::SysRng;

use crate::error::ApiError;
use crate::state::{Application, Settings};

/// How long a device is known after its last sign-in.
const DEVICE_COOKIE_LIFETIME: Duration = Duration::days(180);
/// The accounts that one device is known to: the newest.
const ACCOUNTS: usize = 5;
const ID_BYTES: usize = 16;
/// Between the parts of the cookie; in no username.
const SEPARATOR: char = '.';

/// A device: its random name, and the names of the accounts that have signed in there, newest first.
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

/// The device that the request comes from, if the account has signed in there before.
pub(crate) fn known_device(
    application: &Application,
    request: &HttpRequest,
    username: &str,
) -> Option<String> {
    let device = read(application, request)?;
    let account = username.to_ascii_lowercase();
    device.accounts.contains(&account).then_some(device.id)
}

/// The cookie by which the device is known to the account from now on.
///
/// # Errors
/// If there is no randomness for a new device's name.
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
    device.accounts.retain(|known| *known != account);
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
    fn only_what_the_house_has_signed_is_read() {
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
        let found = read(cookie.value(), &key).unwrap();
        assert_eq!(found.accounts, ["alice", "bob"]);
        assert!(read(&device, &key).is_none(), "not signed");
        assert!(read(cookie.value(), &Key::from(&[8; 64])).is_none());
        assert!(parse("short.alice").is_none());
    }
}
