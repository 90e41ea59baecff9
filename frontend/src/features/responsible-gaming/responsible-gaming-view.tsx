import { LinkButton, Panel } from "@/components";
import { LIMITS_ADDRESS } from "@/lib/limit-texts";
import { HelpPanel } from "./help-panel";
import { OddsPanel } from "./odds-panel";
import { SelfCheck } from "./self-check";
import { ToolsPanel } from "./tools-panel";

/** How players stay in control: the tools, the odds, the warning signs, and where to find help. */
export function ResponsibleGamingView({ isSignedIn }: { isSignedIn: boolean }) {
  return (
    <div className="grid max-w-[860px] grid-cols-[minmax(0,1fr)] gap-4 lg:gap-5">
      <Panel title="In short">
        <div className="grid gap-4 text-14 text-ink-2">
          <ul className="grid list-disc gap-1.5 pl-5">
            <li>
              Every game here costs money on average. Play for entertainment, never to earn or to win back losses.
            </li>
            <li>Decide beforehand how much money and time you want to spend, and let the house hold you to it.</li>
            <li>Take a break whenever you like. Your money stays yours, and withdrawing it is always possible.</li>
            <li>Only adults may play. Never share your password with children or leave a session open.</li>
          </ul>
          <div className="flex flex-wrap gap-3">
            {isSignedIn ? (
              <>
                <LinkButton to={LIMITS_ADDRESS} variant="primary">
                  Set your limits
                </LinkButton>
                <LinkButton to="/statistics">Your statistics</LinkButton>
              </>
            ) : (
              <p>After you have signed in, all tools are in Settings, under Limits.</p>
            )}
          </div>
        </div>
      </Panel>
      <ToolsPanel />
      <OddsPanel />
      <SelfCheck />
      <HelpPanel />
    </div>
  );
}
