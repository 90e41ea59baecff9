import { test as base, expect } from "@playwright/test";
import { type Journey, PlayedHouse } from "./manipulated-journey";
import { MANIPULATIONS } from "./manipulations";
import { alertOf } from "./trust-support";

/** All journeys of a worker begin with the same rounds, because playing them takes longer than the journey. */
const test = base.extend<{ journey: Journey }, { played: PlayedHouse }>({
  played: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of what a fixture needs here
    async ({}, use) => {
      const played = new PlayedHouse();
      await use(played);
      await played.close();
    },
    { scope: "worker" },
  ],
  journey: async ({ browser, played }, use) => {
    const journey = await played.begin(browser);
    await use(journey);
    await journey.page.context().close();
  },
});

test("an honest house is not accused, although it is closed for a while", async ({ journey }) => {
  for (const step of ["history", "verify", "wait", "verify again", "visit", "bet", "a minute", "prove"] as const) {
    await journey.look(step);
    await expect(alertOf(journey.page)).toBeHidden();
  }
  const audited = await journey.auditAgain();
  expect(audited.code, audited.text).toBe(0);
  const checked = await journey.house.command("check");
  expect(checked.code, checked.text).toBe(0);
});

for (const { name, change, look, browser, evidence, log, check } of MANIPULATIONS) {
  test(`noticed: ${name}`, async ({ journey }) => {
    const { house, page } = journey;
    await change(journey);
    for (const step of look) await journey.look(step);
    await journey.closeDialog();
    await expect(alertOf(page)).toContainText(browser);

    const said = await journey.auditEvidence(alertOf(page));
    expect.soft(said.text).toMatch(evidence.says);
    expect.soft(said.code, said.text).toBe(evidence.worth === "proof" ? 1 : 0);
    if (log) {
      const audited = await journey.auditAgain();
      expect.soft(audited.text).toMatch(log);
      expect.soft(audited.code).toBe(1);
    }
    if (check) {
      const checked = await house.command("check");
      expect.soft(checked.text).toMatch(check);
      expect.soft(checked.code).toBe(1);
    }
  });
}
