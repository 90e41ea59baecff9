import { expect, it, vi } from "vitest";
import "@/test-support/network";
import { FairHouse } from "@/test-support/fair-house";
import { refused, serve } from "@/test-support/serve";

it("the bets of every game wait for the player's own client seed", async () => {
  vi.spyOn(console, "info").mockReturnValue();
  const house = await FairHouse.open();
  house.clientSeedBy = "house";
  const asked: string[] = [];
  let isDown = true;
  serve(house, [], (request, url) => {
    asked.push(`${request.method} ${url.pathname}`);
    return isDown && request.method === "PUT" ? refused(503, "busy", "Please try again.") : null;
  });
  const { setPlayer } = await import("@/api/trust/own-client-seed");
  const [dice, crash, stonks, mines, videoPoker, headsUp] = await Promise.all([
    import("./dice/api"),
    import("./crash/api"),
    import("./stonks/api"),
    import("./mines/api"),
    import("./video-poker/api"),
    import("./heads-up/api"),
  ]);
  setPlayer(7);
  const betAmount = "1.00";
  const bets = [
    () => dice.playDice({ betAmount, targetNumber: 50, betType: "over" }, "key"),
    () => crash.startCrash({ betAmount, autoCashoutMultiplier: null, curve: "linear" }, "key"),
    () => stonks.startStonks({ betAmount, autoCashoutProfit: null }, "key"),
    () => mines.startMines({ betAmount, mines: 3 }, "key"),
    () => videoPoker.dealPoker({ betAmount, isMaxBet: false }, "key"),
    () => headsUp.dealHeadsUp({ betAmount }, "key"),
  ];
  for (const bet of bets) await expect(bet()).rejects.toThrow("Please try again.");
  expect(asked.filter((call) => call.startsWith("POST"))).toEqual([]);
  isDown = false;
  for (const bet of bets) await bet().catch(() => null);
  expect(asked.filter((call) => call.startsWith("POST"))).toHaveLength(bets.length);
});
