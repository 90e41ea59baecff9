//! How the sandbox can be told to go wrong, as real providers and networks do.

use std::sync::atomic::{AtomicU32, Ordering};

use glasshouse_domain::Currency;
use serde::{Deserialize, Serialize};

/// How calls are answered instead.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Answer {
    /// 500, and nothing is done.
    #[serde(rename = "500")]
    Fault,
    /// 429 with `Retry-After`, and nothing is done.
    #[serde(rename = "429")]
    TooManyRequests,
    /// Nothing is done, and no answer comes.
    #[serde(rename = "hang")]
    Hang,
    /// The call is carried out, and no answer comes.
    #[serde(rename = "lost")]
    Lost,
    /// The call is carried out, and the answer is 302.
    #[serde(rename = "done_302")]
    DoneMoved,
    /// The call is carried out, and the answer is 400.
    #[serde(rename = "done_400")]
    DoneRefused,
    /// The call is carried out, and the answer is 429 with `Retry-After`.
    #[serde(rename = "done_429")]
    DoneBusy,
}

/// What goes wrong with the next callbacks and calls.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "independent switches, named as the control call names them"
)]
pub struct FaultInjection {
    /// Callbacks are sent this many times more than once.
    #[serde(deserialize_with = "number_or_switch")]
    pub duplicate: u32,
    /// A callback is held back until after the next.
    pub reorder: bool,
    /// Callbacks are sent so many milliseconds late, while everything else goes on.
    pub delay_ms: u64,
    /// Callbacks are not sent.
    pub drop: bool,
    /// Callbacks are signed with another secret.
    pub wrong_signature: bool,
    /// Callbacks end in the middle.
    pub truncate: bool,
    /// Answers leave out which payment a child was sent after; callbacks notify it. Until changed.
    pub omit_parent: bool,
    /// Answers notify what a payment brought in in its own coin, not in dollars. Until changed.
    pub outcome_in_coins: bool,
    /// New invoices are told with this id, which is another's. Until changed.
    pub repeat_invoice: Option<u64>,
    /// The code of a coin that is not taken. Until changed.
    pub disabled: Option<String>,
    /// How calls of the API are answered instead.
    #[serde(deserialize_with = "number_or_name")]
    pub answer: Option<Answer>,
    /// Only calls whose path, such as `/invoice`, begins like this are.
    pub only: Option<String>,
    /// What `Retry-After` says, in seconds.
    pub retry_after: u64,
    /// How many callbacks, and how many calls; one if not given.
    pub count: Option<u32>,
}

/// What is set, and for how long still.
#[derive(Debug, Default)]
pub(crate) struct Switches {
    set: FaultInjection,
    callbacks_left: AtomicU32,
    answers_left: AtomicU32,
}

impl Switches {
    pub(crate) fn new(set: FaultInjection) -> Self {
        let count = set.count.unwrap_or(1);
        Self {
            set,
            callbacks_left: AtomicU32::new(count),
            answers_left: AtomicU32::new(count),
        }
    }

    /// What goes wrong with the callback that is about to be sent.
    pub(crate) fn for_callback(&self) -> FaultInjection {
        let unharmed = FaultInjection {
            omit_parent: false,
            outcome_in_coins: false,
            repeat_invoice: None,
            disabled: None,
            answer: None,
            only: None,
            retry_after: 0,
            count: None,
            ..self.set.clone()
        };
        if unharmed == FaultInjection::default() || !take_one(&self.callbacks_left) {
            return FaultInjection::default();
        }
        unharmed
    }

    /// How the call that has come is answered instead.
    pub(crate) fn for_answer(&self, path: &str) -> Option<(Answer, u64)> {
        let answer = self.set.answer?;
        let only = self.set.only.as_deref().unwrap_or_default();
        (path.starts_with(only) && take_one(&self.answers_left))
            .then_some((answer, self.set.retry_after))
    }

    /// Whether answers notify a child's parent, and whether they notify the outcome in the coin itself.
    pub(crate) fn telling(&self) -> (bool, bool) {
        (!self.set.omit_parent, self.set.outcome_in_coins)
    }

    /// The id with which new invoices are told, if it is not their own.
    pub(crate) fn repeated_invoice(&self) -> Option<u64> {
        self.set.repeat_invoice
    }

    /// Whether a coin is not taken.
    pub(crate) fn is_disabled(&self, coin: Currency) -> bool {
        self.set.disabled.as_deref() == Some(coin.code())
    }

    /// What is still set, for showing.
    pub(crate) fn describe(&self) -> (FaultInjection, u32, u32) {
        let left = |counter: &AtomicU32| counter.load(Ordering::SeqCst);
        let (callbacks, answers) = (left(&self.callbacks_left), left(&self.answers_left));
        (self.set.clone(), callbacks, answers)
    }
}

fn take_one(left: &AtomicU32) -> bool {
    left.try_update(Ordering::SeqCst, Ordering::SeqCst, |left| {
        left.checked_sub(1)
    })
    .is_ok()
}

fn number_or_switch<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<u32, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Form {
        Number(u32),
        Switch(bool),
    }
    Ok(match Form::deserialize(deserializer)? {
        Form::Number(number) => number,
        Form::Switch(is_on) => u32::from(is_on),
    })
}

fn number_or_name<'de, D: serde::Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<Answer>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Form {
        Name(Answer),
        Number(u16),
    }
    match Option::<Form>::deserialize(deserializer)? {
        None => Ok(None),
        Some(Form::Name(answer)) => Ok(Some(answer)),
        Some(Form::Number(500)) => Ok(Some(Answer::Fault)),
        Some(Form::Number(429)) => Ok(Some(Answer::TooManyRequests)),
        Some(Form::Number(_)) => Err(serde::de::Error::custom("expected 500 or 429")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<FaultInjection, serde_json::Error> {
        serde_json::from_str(text)
    }

    #[test]
    fn switches_are_read_in_all_their_forms() {
        assert_eq!(parse("{}").unwrap(), FaultInjection::default());
        assert_eq!(parse(r#"{"duplicate":true}"#).unwrap().duplicate, 1);
        assert_eq!(parse(r#"{"duplicate":5}"#).unwrap().duplicate, 5);
        for (text, answer) in [
            ("500", Answer::Fault),
            ("\"500\"", Answer::Fault),
            ("429", Answer::TooManyRequests),
            ("\"hang\"", Answer::Hang),
            ("\"lost\"", Answer::Lost),
        ] {
            let parsed = parse(&format!(r#"{{"answer":{text}}}"#)).unwrap();
            assert_eq!(parsed.answer, Some(answer), "{text}");
        }
        for wrong in [
            r#"{"answer":404}"#,
            r#"{"explode":true}"#,
            r#"{"count":-1}"#,
        ] {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn switches_wear_off() {
        let switches = Switches::new(parse(r#"{"drop":true,"answer":500,"count":2}"#).unwrap());
        for expected in [true, true, false] {
            assert_eq!(switches.for_callback().drop, expected);
            assert_eq!(switches.for_answer("/status").is_some(), expected);
        }
        let switches = Switches::new(parse(r#"{"answer":500,"only":"/invoice"}"#).unwrap());
        assert_eq!(switches.for_answer("/payment/1"), None);
        assert_eq!(switches.for_answer("/invoice"), Some((Answer::Fault, 0)));
        assert_eq!(switches.for_answer("/invoice"), None);
    }
}
