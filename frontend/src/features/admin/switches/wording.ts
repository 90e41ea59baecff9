import type { HouseSwitch } from "./api";

type Words = {
  label: string;
  /** What happens while it stops something. */
  stopped: string;
  /** What happens while it does not. */
  running: string;
};

export const SWITCH_WORDS: Readonly<Record<HouseSwitch["name"], Words>> = {
  maintenance: {
    label: "Maintenance",
    stopped:
      "Players start no rounds, deposits, withdrawals and registrations. Rounds in play can be finished, payments that arrive are credited, and the panel works.",
    running: "Nothing is stopped for maintenance.",
  },
  deposits: {
    label: "Deposits",
    stopped: "Players cannot request deposits. Payments that arrive are still credited.",
    running: "Players can request deposits.",
  },
  withdrawals: {
    label: "Withdrawals",
    stopped:
      "Players cannot request withdrawals, none is approved automatically, and no new payment starts at the provider. Payments that were requested go on.",
    running: "Players can request withdrawals, and approved ones are paid.",
  },
  registration: {
    label: "Registration",
    stopped: "Nobody can create an account. Signing in goes on.",
    running: "Anybody can create an account.",
  },
};

/** "Maintenance" reads the other way round: it stops things while it is on. */
export const stateOf = ({ name, isOn }: Pick<HouseSwitch, "name" | "isOn">): string =>
  name === "maintenance" ? (isOn ? "On" : "Off") : isOn ? "Running" : "Paused";
