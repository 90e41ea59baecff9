//! Which passwords are refused because others would guess them.
//!
//! Six characters are the least that the form asks for; which six is judged here. The estimate of
//! guesses is zxcvbn's, which knows the thirty thousand commonest passwords, names, words, keyboards
//! and dates. What it does not know is where the password is used: the house's own names are taken
//! out first, and what is left must have the length of a password by itself.

use glasshouse_domain::{NewPassword, Role};

use crate::error::Refusal;

/// A player's password takes at least so many guesses: as many as six characters at random.
const PLAYERS_GUESSES: u64 = 1_000_000;
/// An administrator's takes at least so many.
const ADMINISTRATORS_GUESSES: u64 = 10_000_000_000;
/// The fewest characters of an administrator's password.
const ADMINISTRATORS_CHARACTERS: usize = 12;
/// What is left of a password without the names that everybody knows has at least so many characters.
const MINIMUM_REMAINING_CHARACTERS: usize = 6;
/// Names of the house, whatever its address.
const HOUSE_NAMES: [&str; 2] = ["glasshouse", "casino"];
/// A shorter word is in too many passwords by chance.
const SHORTEST_NAME: usize = 4;

/// Refuses a password that others would guess for a user of this role: `house_names` are words of the
/// house's address, in lower case.
pub(crate) fn judge_password(
    password: &NewPassword,
    username: &str,
    house_names: &[String],
    role: Role,
) -> Result<(), Refusal> {
    let text = password.expose();
    let username = username.to_lowercase();
    let house_names = house_names.iter().map(String::as_str);
    let known: Vec<&str> = HOUSE_NAMES
        .into_iter()
        .chain(house_names)
        .chain([username.as_str()])
        .collect();
    // The estimate looks at the first hundred characters only; so long a password is not common.
    let guesses = zxcvbn::zxcvbn(text, &known).guesses();
    if guesses < PLAYERS_GUESSES || is_mostly_known(text, &known) {
        return Err(Refusal::PasswordTooCommon);
    }
    let is_long = text.chars().count() >= ADMINISTRATORS_CHARACTERS;
    if role == Role::Administrator && !(is_long && guesses >= ADMINISTRATORS_GUESSES) {
        return Err(Refusal::AdministratorPassword);
    }
    Ok(())
}

/// Whether little is left of a password without the names that everybody knows, however these are
/// spelt: `Gl4ss-House!2026` is one of them and a suffix.
fn is_mostly_known(text: &str, known: &[&str]) -> bool {
    let characters = text.chars().count();
    // A 1 may stand for an l as well as for an i.
    ['i', 'l'].into_iter().any(|one| {
        let mut rest = folded(text, one);
        let mut found = 0;
        for name in known {
            let name = folded(name, one);
            if name.chars().count() >= SHORTEST_NAME {
                found += rest.matches(&name).count() * name.chars().count();
                rest = rest.replace(&name, " ");
            }
        }
        found > 0 && characters.saturating_sub(found) < MINIMUM_REMAINING_CHARACTERS
    })
}

/// In lower case, without what is neither letter nor digit, and with letters for the signs that
/// usually stand for them.
fn folded(text: &str, one: char) -> String {
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
        let judged = judge_password(&parsed, "alice_99", &house, role);
        assert_eq!(&judged, expected, "{password}");
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
    fn the_names_of_the_house_and_of_the_user_are_refused_with_a_little_around_them() {
        for known in [
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
            check(known, Role::Player, &Err(Refusal::PasswordTooCommon));
        }
    }

    #[test]
    fn six_characters_that_nobody_guesses_are_enough_for_a_player() {
        for fine in [
            "k7#qPz",
            "tr4vel-lamp",
            "correct horse battery",
            "glasshouse-test-1",
            "c4reful-hands",
            "\u{fc}\u{f6}\u{e4}\u{fc}\u{f6}x",
        ] {
            check(fine, Role::Player, &Ok(()));
        }
    }

    #[test]
    fn an_administrators_password_is_long_and_hard_to_guess() {
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
