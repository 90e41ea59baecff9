// Prints Lighthouse's scores on a simulated phone, each the median of some runs. Lighthouse is large and needed rarely,
// so it is no dependency: npx fetches it.
//
//     GLASSHOUSE_E2E_URL=http://127.0.0.1:8080 node scripts/lighthouse.mjs
//
// The players' pages are measured with a new player. Scores depend on the machine: run it on one that does nothing else.

import { spawnSync } from "node:child_process";

const URL = process.env.GLASSHOUSE_E2E_URL ?? "http://127.0.0.1:8080";
const COMMAND = (process.env.LIGHTHOUSE ?? "npx --yes lighthouse@12.8.2").split(" ");
const CATEGORIES = ["performance", "accessibility", "best-practices", "seo"];
const PAGES = ["/", "/dice", "/crash", "/stonks", "/poker"];
/** Odd. The score for performance differs by a few points from one run to the next. */
const RUNS = 5;

/** The cookies of a new player. */
async function signUp() {
  const username = `measured-${Date.now().toString(36)}`;
  const answer = await fetch(`${URL}/api/register`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ username, password: "measured-lamp-7" }),
  });
  if (!answer.ok) throw new Error(`the measuring player was refused: ${await answer.text()}`);
  return answer.headers.getSetCookie().map((cookie) => cookie.split(";", 1)[0]);
}

function scoresOf(path, cookies) {
  const [program, ...options] = COMMAND;
  const headers = path === "/" ? {} : { Cookie: cookies.join("; ") };
  const { stdout, stderr } = spawnSync(
    program,
    [
      ...options,
      `${URL}${path}`,
      "--quiet",
      "--output=json",
      `--only-categories=${CATEGORIES.join(",")}`,
      `--extra-headers=${JSON.stringify(headers)}`,
      "--chrome-flags=--headless=new --no-sandbox",
    ],
    { encoding: "utf8", maxBuffer: 2 ** 28, env: { CHROME_PATH: "/usr/bin/chromium", ...process.env } },
  );
  if (stdout === "") throw new Error(stderr);
  return JSON.parse(stdout);
}

const cookies = await signUp();
console.log(["page".padEnd(10), ...CATEGORIES].join("  "));
for (const path of PAGES) {
  const runs = Array.from({ length: RUNS }, () => scoresOf(path, cookies));
  const scores = CATEGORIES.map((name) => {
    const sorted = runs.map(({ categories }) => categories[name].score ?? 0).toSorted((a, b) => a - b);
    const median = Math.round(sorted[(RUNS - 1) / 2] * 100);
    return String(median).padStart(name.length);
  });
  console.log([path.padEnd(10), ...scores].join("  "));
  const failed = Object.values(runs[0].audits).filter(
    ({ score, scoreDisplayMode }) => score === 0 && scoreDisplayMode === "binary",
  );
  for (const { id, title } of failed) console.log(`    ${id}: ${title}`);
}
