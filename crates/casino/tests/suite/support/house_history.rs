//! A house to which everything happens, in an order that is random but always the same.

use glasshouse_casino::administration::{Decision, PayoutRecord, record_payout};
use glasshouse_casino::money::{WithdrawalRequest, cancel_withdrawal, request_withdrawal};
use glasshouse_casino::{CasinoError, House};
use glasshouse_domain::{Money, UserId, WithdrawalId};
use glasshouse_games::dice::BetType;
use glasshouse_games::video_poker;

use super::administration::{APPROVAL, administrator, context, decide_withdrawal, pay_by_hand};
use super::cashier_fixture::CashierFixture;
use super::games::{deal_poker_hand, draw_cards, place_dice_bet};
use super::payouts::ADDRESS;
use super::{Fixture, bet};

/// A generator of the same numbers in each run (splitmix64).
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % end
    }

    fn cents(&mut self, from: i64, to: i64) -> i64 {
        from + i64::try_from(self.below(u64::try_from(to - from).unwrap())).unwrap()
    }
}

/// A house with two servers, to which everything happens that changes its figures.
pub(crate) struct History<'t> {
    test: &'t Fixture,
    pub(crate) provider: CashierFixture<'t>,
    houses: [House; 2],
    players: Vec<UserId>,
    keeper: UserId,
    pub(crate) random: Random,
    pending: Vec<(UserId, WithdrawalId)>,
    approved: Vec<WithdrawalId>,
    failed: Vec<WithdrawalId>,
}

impl<'t> History<'t> {
    pub(crate) async fn begin(test: &'t Fixture, seed: u64) -> Self {
        let provider = CashierFixture::open(test).await;
        let mut players = vec![provider.player];
        for name in ["alice", "bob", "carol"] {
            players.push(test.player(name, 500_000).await);
        }
        Self {
            test,
            provider,
            houses: [test.house.clone(), test.another_house()],
            players,
            keeper: administrator(test, "keeper").await,
            random: Random(seed),
            pending: Vec::new(),
            approved: Vec::new(),
            failed: Vec::new(),
        }
    }

    pub(crate) async fn act(&mut self, act: u64) {
        let house = self.houses[usize::try_from(self.random.below(2)).unwrap()].clone();
        let player = self.players[usize::try_from(self.random.below(4)).unwrap()];
        match act {
            0 => self.deposit().await,
            1..=3 => self.bet(&house, player).await,
            4 => self.play_poker(&house, player).await,
            5 => {
                let cents = self.random.cents(300_000, 600_000);
                self.test.set_balance(player, cents).await.unwrap();
            }
            6 | 7 => self.request(&house, player).await,
            8 => {
                if let Some((player, id)) = self.pending.pop() {
                    cancel_withdrawal(&house, player, id).await.unwrap();
                }
            }
            9 => self.decide(&house).await,
            10 => {
                if let Some(id) = self.approved.pop() {
                    pay_by_hand(&house, self.keeper, id).await;
                }
            }
            11 => self.fail(&house).await,
            _ => {
                if let Some(id) = self.failed.pop() {
                    self.record(&house, id, PayoutRecord::Returned).await;
                }
            }
        }
    }

    async fn deposit(&mut self) {
        let (_, invoice) = self.provider.deposit().await;
        // More than was asked for is credited up to a cap.
        let percent = self.random.below(40) + 100;
        let percent = u32::try_from(percent).unwrap();
        self.provider.pay_percent(&invoice, percent).await;
    }

    async fn bet(&mut self, house: &House, player: UserId) {
        let stake = self.random.cents(100, 2_000);
        // The depositor has no money until the first deposit.
        let placed = place_dice_bet(house, player, bet(stake, 50, BetType::Over), None).await;
        assert!(matches!(placed, Ok(_) | Err(CasinoError::Refused(_))));
    }

    /// Leaves every other hand in play.
    async fn play_poker(&self, house: &House, player: UserId) {
        let five = video_poker::Bet::new(Money::from_cents(500)).unwrap();
        if deal_poker_hand(house, player, five, None).await.is_err() {
            let drawn = draw_cards(house, player, None, None, None).await;
            assert!(matches!(drawn, Ok(_) | Err(CasinoError::Refused(_))));
        }
    }

    async fn request(&mut self, house: &House, player: UserId) {
        let cents = self.random.cents(2_000, 9_000);
        let amount = Money::from_cents(cents).to_string();
        let request = WithdrawalRequest::parse(&amount, "btc", ADDRESS).unwrap();
        // What was deposited must be wagered first.
        if let Ok(requested) = request_withdrawal(house, player, request, None).await {
            self.pending.push((player, requested.withdrawal.id));
        }
    }

    async fn decide(&mut self, house: &House) {
        if self.pending.is_empty() {
            return;
        }
        let (_, id) = self.pending.remove(0);
        let decision = match self.random.below(4) {
            0 => Decision::Reject("no".to_owned()),
            _ => APPROVAL,
        };
        if decision == APPROVAL {
            self.approved.push(id);
        }
        decide_withdrawal(house, context(self.keeper), id, decision)
            .await
            .unwrap();
    }

    async fn fail(&mut self, house: &House) {
        if let Some(id) = self.approved.pop() {
            let reason = PayoutRecord::Failed("the wallet is empty".to_owned());
            self.record(house, id, reason).await;
            self.failed.push(id);
        }
    }

    async fn record(&self, house: &House, id: WithdrawalId, record: PayoutRecord) {
        record_payout(house, context(self.keeper), id, record)
            .await
            .unwrap();
    }

    /// Everything at least once, so that nothing of it depends on chance.
    pub(crate) async fn everything(&mut self) {
        for act in [0, 1, 4, 5, 6, 7, 6, 7, 6, 7] {
            self.act(act).await;
        }
        let rich = self.players[1];
        self.test.set_balance(rich, 600_000).await.unwrap();
        for _ in 0..8 {
            let house = self.houses[0].clone();
            self.request(&house, rich).await;
        }
        for id in [0; 4].map(|_| self.pending.remove(0).1) {
            let house = &self.houses[0];
            decide_withdrawal(house, context(self.keeper), id, APPROVAL)
                .await
                .unwrap();
            self.approved.push(id);
        }
        // One of each stays as it is to the end.
        self.approved.pop().unwrap();
        self.pending.pop().unwrap();
        let dave = self.test.player("dave", 1_000).await;
        self.play_poker(&self.houses[1], dave).await;
        for act in [8, 9, 10, 11, 12, 11] {
            self.act(act).await;
        }
    }
}
