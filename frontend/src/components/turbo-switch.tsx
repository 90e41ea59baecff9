import { setTurbo, useTurbo } from "@/lib/turbo";
import { Switch } from "./switch";

/** Shortens animations and skips the pauses between rounds; kept in this browser. */
export function TurboSwitch() {
  return <Switch label="Turbo" checked={useTurbo()} onCheckedChange={setTurbo} />;
}
