//! Fault injection: imitates the failures of real providers and networks.

use std::sync::atomic::{AtomicU32, Ordering};

use glasshouse_domain::Currency;
use serde::{Deserialize, Serialize};

/// The faulty response to an API request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Answer {
    /// The response is 500, and nothing is done.
    #[serde(rename = "500")]
    Fault,
    /// The response is 429 with `Retry-After`, and nothing is done.
    #[serde(rename = "429")]
    TooManyRequests,
    /// There is no response, and nothing is done.
    #[serde(rename = "hang")]
    Hang,
    /// The request is carried out, but there is no response.
    #[serde(rename = "lost")]
    Lost,
    /// The request is carried out, but the response is 302.
    #[serde(rename = "done_302")]
    DoneMoved,
    /// The request is carried out, but the response is 400.
    #[serde(rename = "done_400")]
    DoneRefused,
    /// The request is carried out, but the response is 429 with `Retry-After`.
    #[serde(rename = "done_429")]
    DoneBusy,
}

/// The faults to inject into the next callbacks and API requests.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "independent switches, named as in the control endpoint"
)]
pub struct FaultInjection {
    /// How many additional times each callback is sent.
    #[serde(deserialize_with = "number_or_switch")]
    pub duplicate: u32,
    /// Holds a callback back until after the next one.
    pub reorder: bool,
    /// Delays callbacks by this many milliseconds; later callbacks overtake them.
    pub delay_ms: u64,
    /// Does not send callbacks.
    pub drop: bool,
    /// Signs callbacks with a wrong secret.
    pub wrong_signature: bool,
    /// Cuts callbacks off in the middle.
    pub truncate: bool,
    /// Omits the parent of a child payment from responses, but not from callbacks. Permanent until
    /// changed.
    pub omit_parent: bool,
    /// Reports the outcome of a payment in its own coin rather than in US dollars. Permanent until
    /// changed.
    pub outcome_in_coins: bool,
    /// Reports new invoices with this ID, which belongs to another invoice. Permanent until
    /// changed.
    pub repeat_invoice: Option<u64>,
    /// The code of a coin that is currently not accepted. Permanent until changed.
    pub disabled: Option<String>,
    /// The faulty response to API requests.
    #[serde(deserialize_with = "number_or_name")]
    pub answer: Option<Answer>,
    /// Restricts `answer` to requests whose path starts with this, such as `/invoice`.
    pub only: Option<String>,
    /// Restricts `answer` to requests whose path ends with this, such as `/verify`.
    pub only_suffix: Option<String>,
    /// Restricts `answer` to requests with this method, such as `POST`.
    pub only_method: Option<String>,
    /// The value of `Retry-After`, in seconds.
    pub retry_after: u64,
    /// The number of callbacks and of requests that are affected; 1 by default.
    pub count: Option<u32>,
    /// How many of the next payouts fail after their verification.
    pub fail_payouts: u32,
    /// How many of the next payouts are rejected after their verification; those that fail come
    /// first.
    pub reject_payouts: u32,
    /// Keeps verified payouts from being sent. Permanent until changed.
    pub hold_payouts: bool,
}

/// What becomes of a payout after its verification.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PayoutFate {
    Finished,
    Failed,
    Rejected,
}

/// The injected faults, and how many callbacks and requests they still affect.
#[derive(Debug, Default)]
pub(crate) struct Switches {
    faults: FaultInjection,
    callbacks_left: AtomicU32,
    answers_left: AtomicU32,
    failures_left: AtomicU32,
    rejections_left: AtomicU32,
}

impl Switches {
    pub(crate) fn new(faults: FaultInjection) -> Self {
        let count = faults.count.unwrap_or(1);
        Self {
            callbacks_left: AtomicU32::new(count),
            answers_left: AtomicU32::new(count),
            failures_left: AtomicU32::new(faults.fail_payouts),
            rejections_left: AtomicU32::new(faults.reject_payouts),
            faults,
        }
    }

    /// The faults of the callback that is about to be sent.
    pub(crate) fn for_callback(&self) -> FaultInjection {
        let callback_faults = FaultInjection {
            omit_parent: false,
            outcome_in_coins: false,
            repeat_invoice: None,
            disabled: None,
            answer: None,
            only: None,
            only_suffix: None,
            only_method: None,
            retry_after: 0,
            count: None,
            fail_payouts: 0,
            reject_payouts: 0,
            hold_payouts: false,
            ..self.faults.clone()
        };
        if callback_faults == FaultInjection::default() || !take_one(&self.callbacks_left) {
            return FaultInjection::default();
        }
        callback_faults
    }

    /// The faulty response to a request, if any, with the value of `Retry-After` in seconds.
    pub(crate) fn for_answer(&self, method: &str, path: &str) -> Option<(Answer, u64)> {
        let answer = self.faults.answer?;
        let prefix = self.faults.only.as_deref().unwrap_or_default();
        let suffix = self.faults.only_suffix.as_deref().unwrap_or_default();
        let only_method = self.faults.only_method.as_deref().unwrap_or(method);
        let is_affected = path.starts_with(prefix)
            && path.ends_with(suffix)
            && method.eq_ignore_ascii_case(only_method);
        (is_affected && take_one(&self.answers_left)).then_some((answer, self.faults.retry_after))
    }

    /// What becomes of a payout that is verified now.
    pub(crate) fn next_fate(&self) -> PayoutFate {
        if take_one(&self.failures_left) {
            PayoutFate::Failed
        } else if take_one(&self.rejections_left) {
            PayoutFate::Rejected
        } else {
            PayoutFate::Finished
        }
    }

    /// Whether verified payouts are currently not sent.
    pub(crate) const fn is_holding_payouts(&self) -> bool {
        self.faults.hold_payouts
    }

    /// Whether responses contain a child's parent, and whether they report the outcome in the
    /// payment's own coin.
    pub(crate) fn payment_format(&self) -> (bool, bool) {
        (!self.faults.omit_parent, self.faults.outcome_in_coins)
    }

    /// The ID with which new invoices are reported, if not their own.
    pub(crate) fn repeated_invoice(&self) -> Option<u64> {
        self.faults.repeat_invoice
    }

    /// Whether a coin is currently not accepted.
    pub(crate) fn is_disabled(&self, coin: Currency) -> bool {
        self.faults.disabled.as_deref() == Some(coin.code())
    }

    /// The injected faults and the remaining numbers of callbacks and requests, for display.
    pub(crate) fn describe(&self) -> (FaultInjection, u32, u32) {
        let left = |counter: &AtomicU32| counter.load(Ordering::SeqCst);
        let (callbacks, answers) = (left(&self.callbacks_left), left(&self.answers_left));
        (self.faults.clone(), callbacks, answers)
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
    fn faults_are_parsed_in_all_their_forms() {
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
        for invalid in [
            r#"{"answer":404}"#,
            r#"{"explode":true}"#,
            r#"{"count":-1}"#,
        ] {
            assert!(parse(invalid).is_err(), "{invalid}");
        }
    }

    #[test]
    fn faults_end_after_their_count() {
        let switches = Switches::new(parse(r#"{"drop":true,"answer":500,"count":2}"#).unwrap());
        for expected in [true, true, false] {
            assert_eq!(switches.for_callback().drop, expected);
            assert_eq!(switches.for_answer("GET", "/status").is_some(), expected);
        }
        let switches = Switches::new(parse(r#"{"answer":500,"only":"/invoice"}"#).unwrap());
        assert_eq!(switches.for_answer("GET", "/payment/1"), None);
        assert_eq!(
            switches.for_answer("POST", "/invoice"),
            Some((Answer::Fault, 0))
        );
        assert_eq!(switches.for_answer("POST", "/invoice"), None);
    }
    #[test]
    fn each_call_about_payouts_can_be_singled_out() {
        let create = ("POST", "/payout");
        let list = ("GET", "/payout");
        let verify = ("POST", "/payout/1/verify");
        let get = ("GET", "/payout/1");
        for (limits, only) in [
            (
                r#""only":"/payout","only_suffix":"/payout","only_method":"POST""#,
                create,
            ),
            (
                r#""only":"/payout","only_suffix":"/payout","only_method":"get""#,
                list,
            ),
            (r#""only_suffix":"/verify""#, verify),
            (r#""only":"/payout/","only_method":"GET""#, get),
        ] {
            let switches = Switches::new(parse(&format!(r#"{{"answer":500,{limits}}}"#)).unwrap());
            for other in [create, list, verify, get]
                .into_iter()
                .filter(|other| *other != only)
            {
                assert_eq!(switches.for_answer(other.0, other.1), None, "{limits}");
            }
            assert!(switches.for_answer(only.0, only.1).is_some(), "{limits}");
        }
    }

    #[test]
    fn as_many_payouts_fail_and_are_rejected_as_said() {
        let text = r#"{"fail_payouts":1,"reject_payouts":2}"#;
        let switches = Switches::new(parse(text).unwrap());
        let fates = [(); 4].map(|()| switches.next_fate());
        let rejected = PayoutFate::Rejected;
        assert_eq!(
            fates,
            [PayoutFate::Failed, rejected, rejected, PayoutFate::Finished]
        );
        assert_eq!(switches.for_callback(), FaultInjection::default());
    }
}
