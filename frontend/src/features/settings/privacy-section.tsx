import { Panel } from "@/components";
import { NameSwitch } from "@/games/rounds/name-switch";
import { CloseAccount } from "./privacy/close-account";
import { DownloadData } from "./privacy/download-data";

/** What others see of the player, and what the house has stored. */
export default function PrivacySection() {
  return (
    <>
      <Panel title="Your name">
        <NameSwitch />
      </Panel>
      <DownloadData />
      <CloseAccount />
    </>
  );
}
