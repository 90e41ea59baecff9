import { type Page, request } from "@playwright/test";
import { rowOf } from "./admin-support";
import { post, signInAs } from "./colleagues";
import { OwnHouse } from "./own-house";
import { expect, expectAccessible, PASSWORD, setBalance, test } from "./support";

// What the panel offers to each role. What the server permits is tested there, call by call.

const WALLET = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4";
const TABS = [
  "Dashboard",
  "Users",
  "Withdrawals",
  "Game History",
  "Deposits",
  "Payment Status",
  "Alerts",
  "Figures",
  "Admin Logs",
  "Switches",
  "Approvals",
];
/** The other roles do not see the tab of the figures. */
const SEE_FIGURES: ReadonlySet<string> = new Set(["finance", "auditor"]);
/** The buttons for what only some roles may do, by the address of the tab. */
const BUTTONS = {
  "/admin?tab=users": [
    "Adjust Balance of lena",
    "Change Role of lena",
    "Security of lena",
    "Restrict lena",
    "Ban lena",
    "Export CSV of users",
  ],
  "/admin?tab=withdrawals": ["Approve request 1 of lena", "Reject request 1 of lena"],
  "/admin?tab=switches": ["Change the status of Dice", "Set Deposits to Paused"],
  "/admin?tab=payments": ["Check Status"],
  "/admin?tab=approvals": ["Change Thresholds"],
} as const;
const PERMITTED: readonly [string, string, readonly string[]][] = [
  [
    "finance",
    "Finance",
    ["Adjust Balance of lena", "Restrict lena", "Export CSV of users", "Set Deposits to Paused", "Check Status"],
  ],
  [
    "cashier",
    "Cashier",
    [
      "Restrict lena",
      "Approve request 1 of lena",
      "Reject request 1 of lena",
      "Set Deposits to Paused",
      "Check Status",
    ],
  ],
  ["support", "Support", ["Security of lena", "Restrict lena", "Ban lena", "Check Status"]],
  ["auditor", "Auditor", ["Security of lena", "Export CSV of users"]],
];

/** A player with a withdrawal that waits. */
async function leaveWithdrawal(house: OwnHouse): Promise<void> {
  const calls = await request.newContext({ baseURL: house.url });
  const { id } = await post<{ id: number }>(calls, "/api/register", { username: "lena", password: PASSWORD });
  const administrator = await house.administrator();
  await setBalance(administrator, id, "100.00");
  await administrator.dispose();
  await post(calls, "/api/withdraw-requests", { amount: "20.00", currency: "btc", walletAddress: WALLET });
  await calls.dispose();
}

/** What the menu of lena's row has, if there is more than its buttons. */
async function furtherActions(page: Page): Promise<string[]> {
  await expect(rowOf(page, "Users", "lena")).toBeVisible();
  const menu = page.getByRole("button", { name: "More actions for lena" });
  if ((await menu.count()) === 0) return [];
  await menu.click();
  await expect(page.getByRole("menu")).toBeVisible();
  const labels = await page.getByRole("menuitem").allTextContents();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("menu")).toHaveCount(0);
  return labels;
}

test("the panel offers each role what it permits", async ({ page }) => {
  const house = await OwnHouse.open();
  try {
    await leaveWithdrawal(house);
    for (const [role, name, permitted] of PERMITTED) {
      await signInAs(page, house, role);
      await page.goto(`${house.url}/admin`);
      await expect(page.getByText(`Your role: ${name}.`)).toBeVisible();
      const tabs = SEE_FIGURES.has(role) ? TABS : TABS.filter((tab) => tab !== "Figures");
      await expect(page.getByRole("tab")).toContainText(tabs);
      // Nothing of the games and of the player's own money.
      await expect(page.getByRole("button", { name: "Deposit" })).toHaveCount(0);
      await expect(page.getByRole("navigation", { name: "Games and account" })).toHaveCount(0);
      await expectAccessible(page);
      for (const [address, buttons] of Object.entries(BUTTONS)) {
        await page.goto(`${house.url}${address}`);
        await expect(page.getByRole("button", { name: /^Refresh/ }).first()).toBeVisible();
        const inMenu = address === "/admin?tab=users" ? await furtherActions(page) : [];
        for (const label of buttons) {
          const isInMenu = inMenu.includes(label.replace(/( of)? lena$/, ""));
          if (isInMenu) expect(permitted, role).toContain(label);
          const button = page.getByRole(label.startsWith("Export") ? "link" : "button", { name: label, exact: true });
          const isButton = permitted.includes(label) && !isInMenu;
          await expect(button, `${role}: ${label}`).toHaveCount(isButton ? 1 : 0);
        }
      }
    }
  } finally {
    await house.close(page);
  }
});
