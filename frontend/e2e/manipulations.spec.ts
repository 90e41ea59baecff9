import { expect, test } from "@playwright/test";
import { Journey } from "./manipulated-journey";
import { MANIPULATIONS } from "./manipulations";
import { alertOf, untilInLog } from "./trust-support";

const ROUNDS = 3;
const ONE_SCREEN = "what is verified does not depend on the screen";

test("an honest house is not accused, although it is closed for a while", async ({ page }, { project }) => {
  test.skip(project.name !== "desktop", ONE_SCREEN);
  const journey = await Journey.begin(page);
  try {
    await journey.play(ROUNDS);
    await journey.untilProved(ROUNDS);
    await journey.audit();
    for (const step of ["history", "verify", "wait", "verify again", "visit", "bet", "a minute", "prove"] as const) {
      await journey.look(step);
      await expect(alertOf(page)).toBeHidden();
    }
    const audited = await journey.auditAgain();
    expect(audited.code, audited.text).toBe(0);
    const checked = await journey.house.command("check");
    expect(checked.code, checked.text).toBe(0);
  } finally {
    await journey.house.close();
  }
});

for (const manipulation of MANIPULATIONS) {
  const { name, needsBackup, change, look, browser, evidence, log, check } = manipulation;
  test(`noticed: ${name}`, async ({ page }, { project }) => {
    test.skip(project.name !== "desktop", ONE_SCREEN);
    const journey = await Journey.begin(page);
    const { house } = journey;
    try {
      if (needsBackup) {
        await journey.play(1);
        await untilInLog(page, house.url);
        await house.backUp();
      }
      await journey.play(ROUNDS);
      await journey.untilProved(ROUNDS);
      await journey.audit();

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
    } finally {
      await house.close();
    }
  });
}
