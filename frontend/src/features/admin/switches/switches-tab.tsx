// What can be stopped at run time, the whole house and each game, and what is allowed in a game.

import { GameStatusPanel } from "../tabs/game-statuses";
import { GameLimitsPanel } from "./game-limits";
import { HouseSwitches } from "./house-switches";

export default function SwitchesTab() {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <HouseSwitches />
      <GameStatusPanel />
      <GameLimitsPanel />
    </div>
  );
}
