//! The player's choices: those that the rules do not allow are refused, and so are those that would
//! have led to another payout.

use glasshouse_domain::{Game, Money, Multiplier, RulesVersion};
use glasshouse_games::crash::{self, CrashPoint, Curve};
use glasshouse_games::dice::BetType;
use glasshouse_games::fairness::Block;
use glasshouse_games::game_round::GameRound;
use glasshouse_games::published::{PublishedRound, ReplayError, verify};
use glasshouse_games::{dice, heads_up, mines, stonks, video_poker};

use super::support::{Played, crash_bet, dice_bet, money, play, play_by, seeds, stonks_bet};
use super::terms::with_terms;

const RULES: RulesVersion = RulesVersion::FairCents;

#[track_caller]
fn is_impossible(published: &PublishedRound<'_>, terms: &str) {
    match with_terms(published, terms) {
        Err(ReplayError::Impossible(_)) => {}
        other => panic!("{terms}: {other:?}"),
    }
}

#[track_caller]
fn is_refused(published: &PublishedRound<'_>, terms: &str) {
    assert!(with_terms(published, terms).is_err(), "{terms}");
}

#[test]
fn dice_refuses_other_bets() {
    let won = play_by::<dice::Round>(0, RULES, dice_bet(1_000, 50, BetType::Over), |round| {
        round.natural_end().unwrap()
    });
    // The roll is 60.
    assert_eq!(won.published.payout, money(1_980));
    for (target, side) in (1..=98).flat_map(|target| [(target, "over"), (target, "under")]) {
        let terms = format!("{{\"target\":{target},\"side\":\"{side}\"}}");
        let is_same = (target, side) == (50, "over") || (target, side) == (50, "under");
        if !is_same {
            is_refused(&won.published, &terms);
        }
    }
    is_refused(&won.published, r#"{"target":50,"side":"under"}"#);
    is_refused(&won.published, r#"{"target":50,"side":"Over"}"#);
    for target in [0, 99, 255] {
        is_impossible(
            &won.published,
            &format!("{{\"target\":{target},\"side\":\"over\"}}"),
        );
    }
}

/// A published round of crash with a word that gives the crash point, and a cash-out.
fn crash_round(
    crash_hundredths: u32,
    curve: Curve,
    auto: Option<u32>,
    cashout: Option<u32>,
) -> PublishedRound<'static> {
    let word = u32::try_from((99_u64 << 32) / u64::from(crash_hundredths)).unwrap();
    let expected = Multiplier::from_hundredths(crash_hundredths);
    assert_eq!(CrashPoint::of_word(word), CrashPoint::At(expected));
    let mut block: Block = [0; 32];
    block[..4].copy_from_slice(&word.to_be_bytes());
    let text =
        |value: Option<u32>| value.map_or_else(|| "null".to_owned(), |value| value.to_string());
    PublishedRound {
        game: Game::Crash,
        rules: RULES,
        stake: money(1_000),
        payout: money(10 * i64::from(cashout.unwrap_or(0))),
        terms: format!(
            "{{\"curve\":\"{}\",\"autoCashoutHundredths\":{},\"cashoutHundredths\":{}}}",
            curve.as_str(),
            text(auto),
            text(cashout)
        )
        .into(),
        blocks: vec![block].into(),
    }
}

/// A player can leave at every hundredth that is reached, whatever the curve.
#[test]
fn crash_accepts_every_cash_out_up_to_the_crash_point_and_none_above() {
    for curve in Curve::ALL {
        for cashout in 0..=10_100 {
            let is_verified = verify(&crash_round(10_000, curve, None, Some(cashout))).is_ok();
            assert_eq!(is_verified, (100..=10_000).contains(&cashout), "{cashout}");
        }
        for crash_point in [100, 101, 150, 1_234, 9_999] {
            for (auto, latest) in [(None, 10_000), (Some(120), 120), (Some(20_000), 10_000)] {
                let at = |cashout| verify(&crash_round(crash_point, curve, auto, cashout)).is_ok();
                for cashout in [
                    0,
                    99,
                    100,
                    101,
                    119,
                    120,
                    121,
                    149,
                    150,
                    151,
                    1_233,
                    1_234,
                    1_235,
                    9_999,
                    10_000,
                    u32::MAX,
                ] {
                    let is_allowed = (100..=crash_point.min(latest)).contains(&cashout);
                    assert_eq!(
                        at(Some(cashout)),
                        is_allowed,
                        "{crash_point} {auto:?} {cashout}"
                    );
                }
                // A bet is lost unless the automatic cash-out was reached.
                assert_eq!(at(None), crash_point < latest, "{crash_point} {auto:?}");
            }
        }
    }
}

#[test]
fn crash_refuses_a_cash_out_of_an_instant_crash_and_invalid_bets() {
    let mut instant = crash_round(100, Curve::Linear, None, None);
    instant.blocks.to_mut()[0] = [255; 32];
    verify(&instant).unwrap();
    for cashout in [0, 99, 100, 101] {
        is_impossible(
            &instant,
            &format!(
                "{{\"curve\":\"linear\",\"autoCashoutHundredths\":null,\"cashoutHundredths\":{cashout}}}"
            ),
        );
    }
    let lost = crash_round(150, Curve::Linear, Some(200), None);
    for auto in [0, 1, 99, 100] {
        is_impossible(
            &lost,
            &format!(
                "{{\"curve\":\"linear\",\"autoCashoutHundredths\":{auto},\"cashoutHundredths\":null}}"
            ),
        );
    }
    is_refused(
        &lost,
        r#"{"curve":"steep","autoCashoutHundredths":200,"cashoutHundredths":null}"#,
    );
    // More than a multiplier can be.
    is_refused(
        &crash_round(150, Curve::Linear, Some(u32::MAX), None),
        r#"{"curve":"linear","autoCashoutHundredths":4294967295,"cashoutHundredths":null}"#,
    );
}

/// The crash round as the server plays it, at the last millisecond before its end.
#[test]
fn crash_accepts_the_last_cash_out_that_is_in_time() {
    for nonce in 0..200 {
        for curve in Curve::ALL {
            let bet = crash_bet(101, None, curve);
            let played = play_by::<crash::Round>(nonce, RULES, bet, |round| {
                let ending = round.ending();
                let end = ending.after.unwrap();
                let last = end.saturating_sub(std::time::Duration::from_millis(1));
                round
                    .leave(last, Multiplier::from_hundredths(20_000))
                    .unwrap_or(ending)
            });
            verify(&played.published).unwrap();
        }
    }
}

#[test]
fn stonks_accepts_a_sale_at_every_point_before_the_end_and_none_after() {
    for nonce in 0..300 {
        for auto_sell in [None, Some(1_100), Some(3_000)] {
            let bet = stonks_bet(1_000, auto_sell);
            let round = stonks::Round::begin(bet, &mut seeds(nonce).stream());
            let crashes = round.ending().multiplier.is_none();
            let last = stonks::Round::tick_after(round.ending().after.unwrap());
            for tick in 0..=round.points().len() + 1 {
                let Played { mut published, .. } =
                    play_by::<stonks::Round>(nonce, RULES, bet, |round| round.ending());
                let auto =
                    auto_sell.map_or_else(|| "null".to_owned(), |cents: i64| cents.to_string());
                let is_allowed = (1..=last).contains(&tick) && !(crashes && tick == last);
                published.terms =
                    format!("{{\"autoSellCents\":{auto},\"soldAtTick\":{tick}}}").into();
                let point = round.points().get(tick).copied().unwrap_or(0);
                published.payout = money(i64::from(point));
                assert_eq!(
                    verify(&published).is_ok(),
                    is_allowed,
                    "{nonce} {tick} of {last}"
                );
            }
            let Played { mut published, .. } =
                play_by::<stonks::Round>(nonce, RULES, bet, |round| round.ending());
            published.payout = Money::ZERO;
            let terms = published.terms.split_once(',').unwrap().0;
            published.terms = format!("{terms},\"soldAtTick\":null}}").into();
            assert_eq!(verify(&published).is_ok(), crashes, "{nonce}");
        }
    }
}

#[test]
fn stonks_refuses_invalid_bets_and_ticks() {
    let Played { published, .. } = play(Game::Stonks, 0, RULES);
    let stake = published.stake.cents();
    for auto_sell in [0, -1, stake, i64::MIN] {
        is_impossible(
            &published,
            &format!("{{\"autoSellCents\":{auto_sell},\"soldAtTick\":1}}"),
        );
    }
    for tick in ["-1", "1.5", "\"1\"", "18446744073709551616"] {
        is_refused(
            &published,
            &format!("{{\"autoSellCents\":null,\"soldAtTick\":{tick}}}"),
        );
    }
    is_refused(
        &published,
        &format!("{{\"autoSellCents\":null,\"soldAtTick\":{}}}", u64::MAX),
    );
}

/// Of the 32 choices exactly those are accepted that pay the same.
#[test]
fn video_poker_refuses_holds_that_pay_something_else() {
    for nonce in 0..100 {
        let Played { published, .. } = play(Game::VideoPoker, nonce, RULES);
        let bet = video_poker::Bet::new(published.stake).unwrap();
        let deal = video_poker::Deal::new(&mut seeds(nonce).stream());
        for holds in video_poker::Holds::all() {
            let terms = format!("{{\"held\":{:?}}}", holds.positions()).replace(' ', "");
            let pays = deal.finish(&bet, holds).payout;
            let is_verified = with_terms(&published, &terms).is_ok();
            assert_eq!(is_verified, pays == published.payout, "{nonce} {terms}");
        }
        for held in ["[5]", "[-1]", "[0,0]", "[0,1,2,3,4,0]"] {
            is_impossible(&published, &format!("{{\"held\":{held}}}"));
        }
    }
    let all = (0..).find_map(|nonce| {
        let Played { published, .. } = play(Game::VideoPoker, nonce, RULES);
        (&*published.terms == r#"{"held":[0,1]}"#).then_some(published)
    });
    let refused = with_terms(&all.unwrap(), r#"{"held":[1,0]}"#);
    assert!(matches!(refused, Err(ReplayError::NotCanonical)));
}

#[test]
fn heads_up_refuses_other_actions_and_bets() {
    for nonce in 0..200 {
        let Played { published, .. } = play(Game::HeadsUp, nonce, RULES);
        let (bet, action) = published.terms.split_once(",\"action\":").unwrap();
        let bet = bet.strip_prefix("{\"betCents\":").unwrap();
        for other in ["\"fold\"", "\"call\"", "\"raise\"", "\"check\"", "null"] {
            if !action.starts_with(other) {
                is_refused(
                    &published,
                    &format!("{{\"betCents\":{bet},\"action\":{other}}}"),
                );
            }
        }
        let bet: i64 = bet.parse().unwrap();
        for other in [
            0,
            -500,
            bet + 500,
            bet * 2,
            bet * 3,
            bet + 1,
            i64::MAX,
            i64::MIN,
        ] {
            is_impossible(
                &published,
                &format!("{{\"betCents\":{other},\"action\":{action}"),
            );
        }
        let action = heads_up::Action::parse(action.trim_matches(['"', '}'])).unwrap();
        assert_eq!(published.stake.cents(), bet * (1 + action.added_bets()));
    }
}

#[test]
fn mines_refuses_cells_that_could_not_be_revealed() {
    // The first five cells drawn are 14, 1, 5, 8, 6.
    let bet = mines::Bet::new(money(1_000), 3).unwrap();
    let Played { published, .. } = play_by::<mines::Round>(0, RULES, bet, |round| {
        for cell in [0, 24, 7, 12] {
            let cell = mines::Cell::new(cell).unwrap();
            let revealed = round.play(mines::Move::Reveal(cell), std::time::Duration::ZERO);
            assert_eq!(revealed, Ok(None));
        }
        let end = round.play(mines::Move::CashOut, std::time::Duration::ZERO);
        end.unwrap().unwrap()
    });
    assert_eq!(published.payout, money(1_713));
    assert_eq!(published.terms, r#"{"mines":3,"revealed":[0,24,7,12]}"#);
    for cells in ["", "0,24,7,7", "0,24,7,25", "0,24,5,12", "14,0", "0,0"] {
        is_impossible(
            &published,
            &format!("{{\"mines\":3,\"revealed\":[{cells}]}}"),
        );
    }
    // A mine was hit, or another number of cells revealed.
    for cells in [
        "0,24,7,14",
        "0,24,7",
        "0,24,7,12,11",
        "0,24,7,-1",
        "0,24,7,256",
    ] {
        is_refused(
            &published,
            &format!("{{\"mines\":3,\"revealed\":[{cells}]}}"),
        );
    }
    // The order of safe cells, and which they are, decides nothing.
    with_terms(&published, r#"{"mines":3,"revealed":[12,7,24,0]}"#).unwrap();
    for mines in [0, 25, 255] {
        is_impossible(
            &published,
            &format!("{{\"mines\":{mines},\"revealed\":[0,24,7,12]}}"),
        );
    }
    for mines in [1, 2, 4, 9, 24] {
        is_refused(
            &published,
            &format!("{{\"mines\":{mines},\"revealed\":[0,24,7,12]}}"),
        );
    }
}

/// The last cell that is offered ends the round, so a further one could not be revealed.
#[test]
fn mines_refuses_cells_after_the_last_one_that_is_offered() {
    let bet = mines::Bet::new(money(100_000), 12).unwrap();
    let mines: Vec<u8> = mines::Round::begin(bet, &mut seeds(0).stream())
        .mines()
        .iter()
        .map(|cell| cell.get())
        .collect();
    let safe: Vec<u8> = (0..25).filter(|cell| !mines.contains(cell)).collect();
    let Played { published, .. } = play_by::<mines::Round>(0, RULES, bet, |round| {
        let mut reveals = safe.iter().map(|cell| {
            let cell = mines::Cell::new((*cell).into()).unwrap();
            round
                .play(mines::Move::Reveal(cell), std::time::Duration::ZERO)
                .unwrap()
        });
        reveals.find_map(|end| end).unwrap()
    });
    let terms = |cells: &[u8]| format!("{{\"mines\":12,\"revealed\":{cells:?}}}").replace(' ', "");
    assert_eq!(published.terms, terms(&safe[..5]));
    is_impossible(&published, &terms(&safe[..6]));
}
