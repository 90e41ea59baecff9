import { LinkButton, Panel } from "@/components";
import { NameSwitch } from "@/games/rounds/name-switch";

/** What others see of the player, and how to get what the house has stored. */
export default function PrivacySection() {
  return (
    <>
      <Panel title="Your name">
        <NameSwitch />
      </Panel>
      <Panel title="Your data">
        <div className="grid gap-4">
          <p className="text-pretty text-14 text-ink-2">
            Your rounds and every movement of your money can be downloaded as CSV files, for a spreadsheet or to verify
            the rounds yourself. The downloads are at the end of your statistics.
          </p>
          <LinkButton to="/statistics" className="justify-self-start">
            Downloads in Statistics
          </LinkButton>
        </div>
      </Panel>
    </>
  );
}
