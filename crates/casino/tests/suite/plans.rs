//! The rows that a statement reads do not depend on the size of the tables when it was first
//! planned.

use glasshouse_casino::accounts::{LedgerExport, read_ledger, read_statements, register, sign_in};
use glasshouse_casino::fairness::{former_seed_pairs, set_client_seed};
use glasshouse_casino::money::deposits::{read_deposits, read_wagering};
use glasshouse_casino::money::{WithdrawalRequest, read_withdrawals, request_withdrawal};
use glasshouse_casino::play::timed::{end_rounds, open_rounds};
use glasshouse_casino::play::{
    HistoryRequest, ProfitRange, RoundsExport, read_crash_points, read_high_wins, read_history,
    read_newest_bets, read_profit, read_round, read_rounds, read_statistics,
};
use glasshouse_casino::{House, RequestOrigin};
use glasshouse_domain::{Game, Money, TypedPassword, UserId};
use glasshouse_games::dice::BetType;
use glasshouse_games::fairness::ClientSeed;
use glasshouse_games::video_poker;

use crate::support::cashier_fixture::CashierFixture;
use crate::support::games::{deal_poker_hand, draw_cards, place_dice_bet};
use crate::support::panel_reads::{administer, list_the_richest, watch_and_tell};
use crate::support::rows_read::{CONNECTIONS, wait_for_connections};
use crate::support::seeds::rotate;
use crate::support::workload::{
    attempt_sign_ins, fill_limits, hold_two_cards, make_deposits, play_timed_rounds, set_limits,
    use_limits, use_sessions,
};
use crate::support::{Backend, Fixture, bet, key, registration, seed_keys};

/// The final number of rounds, deposits, withdrawals and audit records of one player, and of users
/// with their sessions.
const ROWS: u32 = 30_000;
/// The most that all statements together may read of a table or an index: far less than a single
/// full scan.
const MAXIMUM_READ: u32 = 15_000;

/// The content of the tables when the statements are first planned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum InitialContent {
    /// Empty tables that were never analyzed.
    Empty,
    /// Empty tables; those that are sometimes empty in production have been analyzed.
    AnalyzedEmpty,
    /// A few rows, analyzed.
    AnalyzedFew,
    /// Empty tables. Later the accounts are analyzed while the transaction that fills them is open,
    /// so that the statistics show few of them in many pages.
    AccountsAnalyzedTooEarly,
}

/// Everything a signed-in player does, each call at least twice on each kind of connection.
async fn play(house: &House, id: UserId, name: &str, turn: &str) {
    for number in 0..6 {
        for _ in 0..2 {
            let chosen = bet(100, 50, BetType::Over);
            let key = key(&format!("{turn}-{number}"));
            let placed = place_dice_bet(house, id, chosen, Some(key)).await.unwrap();
            read_round(house, id, placed.round.id).await.unwrap();
        }
        let dollar = video_poker::Bet::new(Money::from_cents(100)).unwrap();
        let dealt = deal_poker_hand(
            house,
            id,
            dollar,
            Some(key(&format!("{turn}-{number}-deal"))),
        );
        let hand = dealt.await.unwrap().round.id;
        open_rounds(house, id).await.unwrap();
        hold_two_cards(house, id, hand).await;
        let drawn = key(&format!("{turn}-{number}-draw"));
        draw_cards(house, id, None, Some(hand), Some(drawn))
            .await
            .unwrap();
        for games in [
            vec![],
            vec![Game::Dice],
            vec![Game::VideoPoker, Game::HeadsUp],
            vec![Game::Crash],
        ] {
            let request = HistoryRequest {
                games,
                after: None,
                limit: 20,
                search: None,
            };
            read_history(house, id, request).await.unwrap();
        }
        read_statistics(house, id).await.unwrap();
        rotate(house, id, turn).await.unwrap();
        let own = ClientSeed::parse(turn).unwrap();
        set_client_seed(house, id, own).await.unwrap();
        former_seed_pairs(house, id, None, 20).await.unwrap();
        read_deposits(house, id, None, 20).await.unwrap();
        read_wagering(house, id).await.unwrap();
        read_withdrawals(house, id, None, 20).await.unwrap();
        use_sessions(house, id, name).await;
    }
    for _ in 0..2 {
        read_bets_and_records(house, id).await;
    }
    let request = WithdrawalRequest::parse("20.00", "btc", crate::withdrawals::ADDRESS).unwrap();
    request_withdrawal(house, id, request, Some(key(turn)))
        .await
        .unwrap();
    let attempt = glasshouse_casino::accounts::SignIn {
        username: name.to_owned(),
        password: TypedPassword::new("tr4vel-lamp".to_owned()),
        origin: RequestOrigin::default(),
    };
    sign_in(house, attempt, None).await.unwrap();
}

/// Everybody's bets, and the player's own records.
async fn read_bets_and_records(house: &House, id: UserId) {
    let today = house.now().day();
    for games in [
        vec![],
        vec![Game::Dice],
        vec![Game::VideoPoker, Game::HeadsUp],
    ] {
        read_newest_bets(house, games.clone(), None, 20)
            .await
            .unwrap();
        read_high_wins(house, games.clone(), None, 20)
            .await
            .unwrap();
        for range in [ProfitRange::Day, ProfitRange::Week, ProfitRange::Year] {
            read_profit(house, id, games.clone(), range).await.unwrap();
        }
        let mut rounds = RoundsExport::find(house, id, games, today..=today)
            .await
            .unwrap();
        read_rounds(house, &mut rounds, 20).await.unwrap();
    }
    read_crash_points(house, 50).await.unwrap();
    read_statements(house, id, None, 20).await.unwrap();
    let mut ledger = LedgerExport::find(house, id, today..=today).await.unwrap();
    read_ledger(house, &mut ledger, 20).await.unwrap();
}

/// Inserts what `owner` would leave in months of play, and many users with sessions.
fn fill(test: &Fixture, owner: UserId) {
    let now = test.house.now().as_micros();
    let later = now + 3_600_000_000;
    let key = seed_keys().current().id().to_owned();
    test.sql(&format!(
        "SET session_replication_role = replica;
         INSERT INTO users (id, username, username_key, password_hash, role, created_at_micros,
                closed_at_micros)
            SELECT 100 + i, 'filled' || i, 'filled' || i, 'x', 'player', 1, {now}
            FROM generate_series(1, {ROWS}) i;
         INSERT INTO seed_pairs (id, player_id, server_seed_hash, key_id, salt, committed_at_micros,
                client_seed, client_seed_by, client_seed_at_micros, activated_at_micros)
            SELECT 1000000 + i, 100 + i, lpad(to_hex(i), 64, 'x'), '{key}', repeat('0', 64), 1, 'c',
                'house', 1, 1
            FROM generate_series(1, {ROWS}) i;
         INSERT INTO seed_pairs (id, player_id, server_seed_hash, key_id, salt, committed_at_micros)
            SELECT 2000000 + i, 100 + i, lpad(to_hex(i), 64, 'y'), '{key}', repeat('0', 64), 1
            FROM generate_series(1, {ROWS}) i;
         INSERT INTO seed_pairs (id, player_id, server_seed_hash, committed_at_micros, client_seed,
                client_seed_by, client_seed_at_micros, activated_at_micros, server_seed, revealed_at_micros)
            SELECT 3000000 + i, {owner}, lpad(to_hex(i), 64, 'z'), 1, 'c', 'house', 1, 1,
                repeat('0', 64), 1
            FROM generate_series(1, {ROWS}) i;
         INSERT INTO accounts (player_id, balance_cents, unwagered_cents, ledger_sequence,
                seed_pair_id, next_seed_pair_id, server_seed_hash, seed_key_id, seed_salt,
                client_seed, next_nonce)
            SELECT 100 + i, power(1.0005, i)::bigint, 0, 0, 1000000 + i, 2000000 + i, lpad(to_hex(i), 64, 'x'), '{key}',
                repeat('0', 64), 'c', 0
            FROM generate_series(1, {ROWS}) i;
         INSERT INTO sessions (key_hash, user_id, created_at_micros, last_active_at_micros, confirmed_at_micros)
            SELECT lpad(to_hex(i), 64, '0'), 100 + i, {now}, {now}, {now}
            FROM generate_series(1, {ROWS}) i;
         INSERT INTO attempt_counters (subject, count, until_micros, expires_at_micros)
            SELECT 'filled' || i, 1, {later}, {later} FROM generate_series(1, {ROWS}) i;
         INSERT INTO rounds (id, player_id, game, state, stake_cents, payout_cents, result,
                details, seed_pair_id, nonce, idempotency_key, balance_after_cents,
                unwagered_after_cents, started_at_micros, ended_at_micros, settlement_key)
            SELECT 1000000 + i, {owner}, (ARRAY['dice', 'stonks', 'video_poker'])[1 + i % 3], 'settled',
                1, 0, 'loss', '{{}}', 1, 1000000 + i, 'filled' || i, 0, 0, i, i, 'filled' || i
            FROM generate_series(1, {ROWS}) i;
         INSERT INTO hourly_statistics (player_id, hour, game, rounds, staked_cents, paid_cents)
            SELECT {owner}, i, 'dice', 1, 1, 0 FROM generate_series(1, {ROWS}) i;
         INSERT INTO daily_statements (player_id, day, entries, first_sequence, last_sequence,
                deposited_cents, withdrawn_cents, adjusted_cents, staked_cents, paid_cents)
            SELECT 100 + i, 1, 1, 1, 1, 0, 0, 0, 1, 0 FROM generate_series(1, {ROWS}) i;
         INSERT INTO ledger_entries (player_id, sequence, kind, amount_cents, balance_after_cents,
                reference, created_at_micros)
            SELECT {owner}, 1000000 + i, 'stake', -1, 0, 'filled:' || i, i
            FROM generate_series(1, {ROWS}) i;
         INSERT INTO deposits (id, player_id, order_id, currency, price_cents, status, credited_cents,
                idempotency_key, created_at_micros, updated_at_micros)
            SELECT 1000000 + i, {owner}, 'filled' || i, 'btc', 1, 'failed', 0, 'filled' || i, 1, 1
            FROM generate_series(1, {ROWS}) i;
         INSERT INTO payments (id, deposit_id, standing, status, credited_cents, credits, details,
                first_seen_at_micros, updated_at_micros)
            SELECT 'filled' || i, 1000000 + i, 'tracked', 'finished', 0, 0, '', 1, 1
            FROM generate_series(1, {ROWS}) i;
         INSERT INTO reviews (payment_id, deposit_id, kind, details, opened_at_micros,
                resolved_at_micros, resolution, resolved_by)
            SELECT 'filled' || i, 1000000 + i, 'overpaid', '', 1, 1, 'x', {owner} + 1
            FROM generate_series(1, {ROWS}) i;
         INSERT INTO withdrawals (player_id, amount_cents, fee_cents, currency, address, status,
                idempotency_key, created_at_micros, decided_at_micros, decided_by)
            SELECT {owner}, 1000, 0, 'btc', 'x', 'approved', 'filled' || i, 1, 1, {owner} + 1
            FROM generate_series(1, {ROWS}) i;
         INSERT INTO audit_log (actor_id, action, target_user_id, idempotency_key, created_at_micros)
            SELECT {owner}, 'filled', {owner}, 'filled' || i, 1 FROM generate_series(1, {ROWS}) i;"
    ))
    .unwrap();
    fill_confirmations(test, owner);
    fill_alerts(test, owner, now);
}

/// Inserts what is left of the filled payments' confirmation by hand, which another user than `owner` has proposed.
fn fill_confirmations(test: &Fixture, owner: UserId) {
    test.sql(&format!(
        "SET session_replication_role = replica;
         INSERT INTO payment_credits (payment_id, number, player_id, amount_cents, confirmed_by, created_at_micros)
            SELECT 'filled' || i, 1, {owner}, 1, {owner} + 1, i FROM generate_series(1, {ROWS}) i;
         INSERT INTO audit_log (actor_id, action, target_user_id, subject, new_value, created_at_micros)
            SELECT {owner} + 1, 'payment_confirmed', {owner}, 'payment filled' || i, 'x', i
            FROM generate_series(1, {ROWS}) i;
         INSERT INTO proposals (id, kind, act, user_id, cause, proposed_by, proposed_at_micros, expires_at_micros,
                state, decided_by, decided_at_micros, decision_reason)
            SELECT 1000000 + i, 'confirm_payment',
                'confirm a payment: payment filled' || i || ', 1.00 paid in BTC', {owner}, '', {owner} + 1, 1, 1, 'withdrawn',
                {owner} + 1, 1, NULL
            FROM generate_series(1, {ROWS}) i;"
    ))
    .unwrap();
}

/// Inserts alerts that another user than `owner` has acknowledged, each with a mail that has arrived.
fn fill_alerts(test: &Fixture, owner: UserId, now: i64) {
    test.sql(&format!(
        "SET session_replication_role = replica;
         INSERT INTO alerts (id, kind, key, facts, is_condition, raised_at_micros, resolved_at_micros,
                acknowledged_at_micros, acknowledged_by)
            SELECT 1000000 + i, 'queue', 'filled' || i, '{{}}', 1, {now}, {now}, {now}, {owner} + 1
            FROM generate_series(1, {ROWS}) i;
         INSERT INTO alert_deliveries (id, alert_id, message, channel, recipient, created_at_micros,
                expires_at_micros, attempts, delivered_at_micros)
            SELECT 1000000 + i, 1000000 + i, 'raised', 'mail', 'ops@example.com', {now}, {now}, 1, {now}
            FROM generate_series(1, {ROWS}) i;"
    ))
    .unwrap();
}

/// Runs the whole workload for each player.
async fn run_workload(fixture: &CashierFixture<'_>, players: &[(UserId, &str)], turn: &str) {
    let house = fixture.cashier.house();
    for (number, (id, name)) in (1..).zip(players) {
        play(house, *id, name, turn).await;
        play_timed_rounds(fixture.test, house, *id, turn).await;
        use_limits(fixture.test, house, *id, name).await;
        attempt_sign_ins(house, name, number).await;
        make_deposits(fixture, *id, turn).await;
    }
    administer(house, players[0].0).await;
    watch_and_tell(fixture.test, house).await;
}

async fn assert_reads_do_not_grow(initial: InitialContent) {
    let test = Fixture::on(Backend::Postgres);
    // When autovacuum runs is chance; each case analyzes what it is about.
    test.sql(
        "DO $$ DECLARE name text; BEGIN
            FOR name IN SELECT relid::regclass::text FROM pg_stat_user_tables LOOP
                EXECUTE 'ALTER TABLE ' || name || ' SET (autovacuum_enabled = off)';
            END LOOP;
         END $$",
    )
    .unwrap();
    let before = test.texts(CONNECTIONS);
    if initial == InitialContent::AnalyzedEmpty {
        let counted = "VACUUM ANALYZE sessions, deposits, payments, withdrawals, reviews, alerts,
            alert_deliveries";
        test.sql(counted).unwrap();
    }
    // The connections of this house are closed before the statistics are read.
    let mut fixture = CashierFixture::open(&test).await;
    fixture.restart();
    let house = fixture.cashier.house().clone();
    let background = tokio::spawn(end_rounds(house.clone()));
    let mut players = Vec::new();
    for name in ["busy", "idle"] {
        let player = register(&house, registration(name)).await.unwrap().user.id;
        test.set_balance(player, 1_000_000).await.unwrap();
        set_limits(&house, player).await;
        players.push((player, name));
    }
    run_workload(&fixture, &players, "empty").await;
    list_the_richest(&house, players[0].0).await;
    if initial == InitialContent::AnalyzedFew {
        test.sql("VACUUM ANALYZE").unwrap();
        run_workload(&fixture, &players, "few").await;
        list_the_richest(&house, players[0].0).await;
    }
    fill(&test, players[0].0);
    fill_limits(&test, players[0].0, ROWS);
    if initial == InitialContent::AccountsAnalyzedTooEarly {
        test.sql(
            "UPDATE pg_class SET reltuples = 2, relpages = pg_relation_size(oid) / 8192
             WHERE oid = 'accounts'::regclass",
        )
        .unwrap();
    }
    run_workload(&fixture, &players, "full").await;
    // PostgreSQL sorts all accounts while its statistics say that there are two.
    if initial != InitialContent::AccountsAnalyzedTooEarly {
        list_the_richest(&house, players[0].0).await;
    }
    background.abort();
    let _ = background.await;
    fixture.close();
    drop(fixture);
    drop(house);
    wait_for_connections(&test, &before);
    let excessive = test.texts(&format!(
        "SELECT relname || ': ' || n AS value FROM (
            SELECT relname, seq_tup_read + COALESCE(idx_tup_fetch, 0) AS n
            FROM pg_stat_user_tables
            UNION ALL SELECT indexrelname, idx_tup_read FROM pg_stat_user_indexes
         ) reads WHERE n > {MAXIMUM_READ}"
    ));
    assert!(excessive.is_empty(), "{initial:?}: {excessive:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn statements_planned_on_an_empty_database_do_not_scan_a_full_one() {
    assert_reads_do_not_grow(InitialContent::Empty).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn statements_planned_on_tables_analyzed_as_empty_do_not_scan_full_ones() {
    assert_reads_do_not_grow(InitialContent::AnalyzedEmpty).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn statements_planned_with_too_few_accounts_in_the_statistics_do_not_scan_all() {
    assert_reads_do_not_grow(InitialContent::AccountsAnalyzedTooEarly).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn statements_planned_on_a_small_database_do_not_scan_a_full_one() {
    assert_reads_do_not_grow(InitialContent::AnalyzedFew).await;
}
