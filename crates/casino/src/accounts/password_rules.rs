//! Refuses passwords that are easy to guess.
//!
//! The form requires at least six characters; this module judges which ones. zxcvbn estimates the
//! number of guesses; it knows the thirty thousand most common passwords, names, words, keyboard
//! patterns and dates. It does not know where the password is used, so the names of the house are
//! removed first, and the rest must be long enough for a password by itself.

use glasshouse_domain::{NewPassword, Role};

use crate::error::Refusal;

/// The minimum number of guesses for a player's password: as many as for six random characters.
const MINIMUM_PLAYER_GUESSES: u64 = 1_000_000;
/// The minimum number of guesses for an administrator's password.
const MINIMUM_ADMINISTRATOR_GUESSES: u64 = 10_000_000_000;
/// The minimum length of an administrator's password in characters.
const MINIMUM_ADMINISTRATOR_CHARACTERS: usize = 12;
/// The minimum number of characters that remain of a password without well-known names.
const MINIMUM_REMAINING_CHARACTERS: usize = 6;
/// Names of the house, whatever its address is.
const HOUSE_NAMES: [&str; 2] = ["glasshouse", "casino"];
/// Shorter names are ignored, because they occur in too many passwords by chance.
const MINIMUM_NAME_CHARACTERS: usize = 4;

/// Refuses a password that is too easy to guess for a user with this role. `house_names` are words
/// of the house's address, in lower case.
pub(crate) fn check_password(
    password: &NewPassword,
    username: &str,
    house_names: &[String],
    role: Role,
) -> Result<(), Refusal> {
    let text = password.expose();
    let username = username.to_lowercase();
    let house_names = house_names.iter().map(String::as_str);
    let well_known: Vec<&str> = HOUSE_NAMES
        .into_iter()
        .chain(house_names)
        .chain([username.as_str()])
        .collect();
    // The estimate covers only the first hundred characters; longer passwords are not common.
    let guesses = zxcvbn::zxcvbn(text, &well_known).guesses();
    if guesses < MINIMUM_PLAYER_GUESSES || is_mostly_well_known(text, &well_known) {
        return Err(Refusal::PasswordTooCommon);
    }
    let is_long = text.chars().count() >= MINIMUM_ADMINISTRATOR_CHARACTERS;
    if role == Role::Administrator && !(is_long && guesses >= MINIMUM_ADMINISTRATOR_GUESSES) {
        return Err(Refusal::AdministratorPassword);
    }
    Ok(())
}

/// Whether too little remains of a password without well-known names, in any spelling:
/// `Gl4ss-House!2026` is such a name with a suffix.
fn is_mostly_well_known(text: &str, well_known: &[&str]) -> bool {
    let characters = text.chars().count();
    // A 1 can stand for an l as well as for an i.
    ['i', 'l'].into_iter().any(|one| {
        let mut rest = normalized(text, one);
        let mut matched = 0;
        for name in well_known {
            let name = normalized(name, one);
            if name.chars().count() >= MINIMUM_NAME_CHARACTERS {
                matched += rest.matches(&name).count() * name.chars().count();
                rest = rest.replace(&name, " ");
            }
        }
        matched > 0 && characters.saturating_sub(matched) < MINIMUM_REMAINING_CHARACTERS
    })
}

/// Normalizes a text: lower case, letters instead of the characters that usually stand for them,
/// and everything removed that is neither letter nor digit.
fn normalized(text: &str, one: char) -> String {
    let letters = text.to_lowercase();
    let letters = letters.chars().map(|sign| match sign {
        '0' => 'o',
        '1' | '!' | '|' => one,
        '3' => 'e',
        '4' | '@' => 'a',
        '5' | '$' => 's',
        '7' => 't',
        '8' => 'b',
        other => other,
    });
    letters.filter(|sign| sign.is_alphanumeric()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(password: &str, role: Role, expected: &Result<(), Refusal>) {
        let parsed = NewPassword::parse(password.to_owned()).unwrap();
        let house = ["lucky-seven".to_owned()];
        let result = check_password(&parsed, "alice_99", &house, role);
        assert_eq!(&result, expected, "{password}");
    }

    #[test]
    fn common_passwords_are_refused() {
        for common in [
            "123456",
            "password",
            "qwerty",
            "111111",
            "letmein",
            "aaaaaa",
            "admin123",
            "casino1",
            "abc123x",
            "iloveu2",
            "dragon12",
            "football1",
            "liverpool1",
            "soccer10",
            "zxcvbnm1",
            "P@ssw0rd1",
            "20261121",
            "michael7",
        ] {
            check(common, Role::Player, &Err(Refusal::PasswordTooCommon));
        }
    }

    #[test]
    fn names_of_house_and_user_with_short_additions_are_refused() {
        for well_known in [
            "glasshouse",
            "Glasshouse1",
            "glasshouse2026!",
            "gl4ssh0us3",
            "g1a55house",
            "x9glasshouse",
            "Glass-House!77",
            "casino2026!",
            "c@sin0777",
            "glasshousecasino",
            "alice_99",
            "Alice_99!!1",
            "lucky-seven7",
            "LuckySeven2026",
        ] {
            check(well_known, Role::Player, &Err(Refusal::PasswordTooCommon));
        }
    }

    #[test]
    fn hard_to_guess_password_of_six_characters_is_accepted_for_players() {
        for password in [
            "k7#qPz",
            "tr4vel-lamp",
            "correct horse battery",
            "glasshouse-test-1",
            "c4reful-hands",
            "\u{fc}\u{f6}\u{e4}\u{fc}\u{f6}x",
        ] {
            check(password, Role::Player, &Ok(()));
        }
    }

    #[test]
    fn short_or_guessable_administrator_password_is_refused() {
        let refused = Err(Refusal::AdministratorPassword);
        check("k7#qPz", Role::Administrator, &refused);
        check("tr4vel-lamp", Role::Administrator, &refused);
        check(
            "password",
            Role::Administrator,
            &Err(Refusal::PasswordTooCommon),
        );
        check("c4reful-hands-of-a-keeper", Role::Administrator, &Ok(()));
        check(
            &crate::randomness::random_password().unwrap(),
            Role::Administrator,
            &Ok(()),
        );
    }
}
