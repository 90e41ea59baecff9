//! What the operator switches on and off for the whole house.

use std::collections::BTreeMap;

use strum::{EnumString, IntoStaticStr, VariantArray};

use crate::stored_names::stored_names;

/// A switch of the house.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, EnumString, IntoStaticStr, VariantArray,
)]
#[strum(serialize_all = "snake_case")]
pub enum HouseSwitch {
    /// While it is on, players start no rounds and do nothing that another switch could stop.
    Maintenance,
    /// Whether players can request deposits.
    Deposits,
    /// Whether players can request withdrawals, and withdrawals are approved and paid automatically.
    Withdrawals,
    /// Whether players can register.
    Registration,
}

stored_names!(HouseSwitch);

impl HouseSwitch {
    /// How the switch is set while nothing is stopped.
    #[must_use]
    pub const fn is_normally_on(self) -> bool {
        !matches!(self, Self::Maintenance)
    }
}

/// What the audit log calls the state of a switch.
#[must_use]
pub const fn switch_state_name(is_on: bool) -> &'static str {
    if is_on { "on" } else { "off" }
}

/// How a switch is set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SwitchState {
    /// Whether it is on.
    pub is_on: bool,
    /// What players are told while it stops something; `None` if it was never changed.
    pub reason: Option<String>,
}

/// How all switches are set.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct HouseSwitches(BTreeMap<HouseSwitch, SwitchState>);

impl HouseSwitches {
    /// How the switch is set, if that is stored.
    #[must_use]
    pub fn state(&self, switch: HouseSwitch) -> Option<&SwitchState> {
        self.0.get(&switch)
    }

    /// Whether the switch is on.
    #[must_use]
    pub fn is_on(&self, switch: HouseSwitch) -> bool {
        let state = self.0.get(&switch);
        state.map_or(switch.is_normally_on(), |state| state.is_on)
    }

    /// Whether the switch stops something, and what players are told.
    #[must_use]
    pub fn stopped_by(&self, switch: HouseSwitch) -> Option<&str> {
        let state = self.0.get(&switch)?;
        (state.is_on != switch.is_normally_on()).then(|| state.reason.as_deref().unwrap_or(""))
    }

    /// What stops the acts that a switch is for: maintenance, the switch itself, or nothing.
    #[must_use]
    pub fn stop(&self, switch: HouseSwitch) -> Option<(HouseSwitch, &str)> {
        [HouseSwitch::Maintenance, switch]
            .into_iter()
            .find_map(|switch| Some((switch, self.stopped_by(switch)?)))
    }
}

impl FromIterator<(HouseSwitch, SwitchState)> for HouseSwitches {
    fn from_iter<I: IntoIterator<Item = (HouseSwitch, SwitchState)>>(states: I) -> Self {
        Self(states.into_iter().collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(switch: HouseSwitch, is_on: bool) -> (HouseSwitch, SwitchState) {
        let reason = Some(switch.as_str().to_owned());
        (switch, SwitchState { is_on, reason })
    }

    #[test]
    fn nothing_is_stopped_unless_a_switch_is_set_so() {
        use HouseSwitch::{Deposits, Maintenance, Registration, Withdrawals};
        for switch in HouseSwitch::ALL {
            assert_eq!(HouseSwitch::parse(switch.as_str()), Some(*switch));
            assert_eq!(HouseSwitches::default().stop(*switch), None);
            let normal: HouseSwitches = [set(*switch, switch.is_normally_on())]
                .into_iter()
                .collect();
            assert_eq!(normal.stop(*switch), None);
        }
        let stopped: HouseSwitches = [set(Deposits, false)].into_iter().collect();
        assert_eq!(stopped.stop(Deposits), Some((Deposits, "deposits")));
        assert_eq!(stopped.stop(Withdrawals), None);
        assert!(!stopped.is_on(Deposits) && stopped.is_on(Withdrawals));
        // Maintenance stops everything, and is what players are told.
        let maintained: HouseSwitches = [set(Maintenance, true), set(Registration, false)]
            .into_iter()
            .collect();
        for switch in HouseSwitch::ALL {
            assert_eq!(maintained.stop(*switch), Some((Maintenance, "maintenance")));
        }
    }
}
