import { request } from "@playwright/test";
import { colleague, post, takeOver } from "./colleagues";
import { OwnHouse } from "./own-house";
import { expect, expectAccessible, PASSWORD, test, toastTitled } from "./support";

// A shift of two people: what one proposes, the other decides on.

test("a second person approves, refuses and is needed", async ({ page }) => {
  const house = await OwnHouse.open();
  try {
    const player = await request.newContext({ baseURL: house.url });
    await post(player, "/api/register", { username: "lena", password: PASSWORD });
    const owner = await house.administrator();

    // Alone, the owner is told what is not available.
    await takeOver(page, owner);
    await page.goto(`${house.url}/admin?tab=approvals`);
    await expect(page.getByText("Nothing waits for a second person")).toBeVisible();
    const note = page.getByRole("note");
    await expect(note).toContainText("Not available, because nobody else could approve it");
    for (const act of ["adjustments above the threshold", "roles that permit more", "other thresholds"])
      await expect(note).toContainText(act);
    for (const [name, amount] of [
      ["One adjustment", "$100.00"],
      ["One manual confirmation", "$500.00"],
      ["One withdrawal", "$1,000.00"],
      ["One person in a day", "$2,000.00"],
      ["All persons in a day", "$10,000.00"],
    ] as const)
      await expect(page.locator("dl > div").filter({ hasText: name })).toContainText(amount);
    await expectAccessible(page);

    // An adjustment above the threshold can only be proposed.
    const deputy = await colleague(house, "owner", "deputy");
    await page.goto(`${house.url}/admin?tab=users&search=lena`);
    await page.getByRole("button", { name: "Adjust Balance of lena" }).click();
    const dialog = page.getByRole("dialog", { name: "Adjust Balance" });
    await dialog.getByLabel("New Balance ($)").fill("250");
    await dialog.getByLabel("Reason").fill("A jackpot");
    await dialog.getByRole("button", { name: "Set to $250.00" }).click();
    await expect(dialog.getByRole("alert")).toContainText("Adjustments of more than $100.00 need a second person.");
    await expectAccessible(page);
    await dialog.getByRole("button", { name: "Propose" }).click();
    await expect(toastTitled(page, "Success")).toContainText("Proposed. Another person must approve it.");
    await expect(page.getByRole("tab", { name: "Approvals 1 waiting" })).toBeVisible();
    expect(await balance()).toBe("0.00");

    // Its proposer cannot approve it; a change of a role is proposed as well.
    await page.getByRole("tab", { name: "Approvals" }).click();
    const proposals = page.getByRole("list", { name: "Proposals" }).getByRole("listitem");
    await expect(proposals).toContainText(["Adjust balance"]);
    await expect(proposals.first()).toContainText("You have proposed this, so somebody else decides.");
    await expect(page.getByRole("button", { name: /^Approve/ })).toHaveCount(0);
    await page.goto(`${house.url}/admin?tab=users&search=lena`);
    await page.getByRole("button", { name: "More actions for lena" }).click();
    await page.getByRole("menuitem", { name: "Change Role" }).click();
    const roles = page.getByRole("dialog", { name: "Change Role" });
    await roles.getByRole("combobox", { name: "New role" }).selectOption("Finance");
    await roles.getByLabel("Reason").fill("A new colleague");
    await roles.getByRole("button", { name: "Make lena Finance" }).click();
    await expect(toastTitled(page, "Success")).toContainText("Proposed.");

    // The other one approves the first and refuses the second.
    await takeOver(page, deputy);
    await page.goto(`${house.url}/admin?tab=approvals`);
    await expect(note).toHaveCount(0);
    await expect(proposals).toContainText(["Change the role from Player to Finance.", "A jackpot"]);
    await expectAccessible(page);
    await page.getByRole("button", { name: "Approve proposal 1" }).click();
    const approval = page.getByRole("dialog", { name: "Approve Proposal" });
    for (const text of ["Adjust balance", "lena", "+$250.00", "A jackpot", "admin"])
      await expect(approval).toContainText(text);
    await expectAccessible(page);
    await approval.getByRole("button", { name: "Approve", exact: true }).click();
    await expect(toastTitled(page, "Success")).toContainText("Approved and carried out");
    expect(await balance()).toBe("250.00");
    await page.getByRole("button", { name: "Refuse proposal 2" }).click();
    const refusal = page.getByRole("dialog", { name: "Refuse Proposal" });
    await refusal.getByRole("button", { name: "Refuse" }).click();
    await expect(toastTitled(page, "Error")).toContainText("A reason is required");
    await refusal.getByLabel("Reason").fill("Not yet");
    await refusal.getByRole("button", { name: "Refuse" }).click();
    await expect(toastTitled(page, "Success")).toContainText("The proposal has been refused");
    await page.getByRole("combobox", { name: "State" }).selectOption("Refused");
    await expect(proposals).toContainText(["Refused because: Not yet"]);

    // Thresholds are proposed, and can be withdrawn.
    await page.getByRole("button", { name: "Change Thresholds" }).click();
    const thresholds = page.getByRole("dialog", { name: "Change Thresholds" });
    await thresholds.getByLabel("One withdrawal ($)").fill("x");
    await thresholds.getByLabel("Reason").fill("A busy season");
    await thresholds.getByRole("button", { name: "Propose" }).click();
    await expect(thresholds).toContainText("Please enter an amount of at least $0.00");
    await thresholds.getByLabel("One withdrawal ($)").fill("1500");
    await thresholds.getByRole("button", { name: "Propose" }).click();
    await expect(toastTitled(page, "Success")).toContainText("Proposed. Another owner must approve it.");
    await expect(page.getByRole("tab", { name: "Approvals 1 waiting" })).toBeVisible();
    await page.getByRole("combobox", { name: "State" }).selectOption("Waiting");
    await page.getByRole("button", { name: "Withdraw proposal 3" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Withdraw" }).click();
    await expect(toastTitled(page, "Success")).toContainText("The proposal has been withdrawn");

    async function balance(): Promise<string> {
      return ((await (await player.get("/api/user")).json()) as { balance: string }).balance;
    }
    for (const calls of [player, owner, deputy]) await calls.dispose();
  } finally {
    await house.close(page);
  }
});
