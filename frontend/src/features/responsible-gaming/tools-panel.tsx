import { Panel } from "@/components";

type Tool = { title: string; lines: readonly string[] };

/** The tools as they work: docs/responsible-gambling.md has the rules. */
const TOOLS: readonly Tool[] = [
  {
    title: "Limits per day, week and month",
    lines: [
      "Deposit limit: what was credited to your balance, and what can still be paid for open invoices. A deposit that does not fit is refused. Money that arrives nevertheless is credited, because a payment cannot be undone.",
      "Stake limit: what you bet in all games together. A round starts only if the most that you can stake in it fits.",
      "Loss limit: your stakes less your payouts. A round starts only if losing it would fit. A payout counts when it is paid.",
      "Session time limit: the time in which you use Glasshouse, counted by the minute and once, however many devices and tabs you use. Once it is used, no new round starts. It is noticed up to a minute late.",
      "A round that has started can always be finished, whatever your limits say by then.",
    ],
  },
  {
    title: "When a change is in force",
    lines: [
      "A first limit and a lower one: at once. What you have used since the period began counts.",
      "A higher limit, and removing one: after 24 hours, and only if you then confirm it within seven days. Otherwise the request lapses and your limit stays. You can withdraw the request at any time.",
      "Days, weeks (Monday to Sunday) and months begin at midnight UTC.",
      "Every change is kept, and you see all of them.",
    ],
  },
  {
    title: "Cool-off and self-exclusion",
    lines: [
      "A cool-off lasts 24 hours, a week or a month; a self-exclusion six months, a year, five years, or for ever. Both take your password and begin at once.",
      "While you are excluded, no round of any game starts and no deposit is created.",
      "You can still sign in, see your history, finish rounds in play and withdraw your money. Payments for open invoices are credited.",
      "An exclusion ends only by time. Neither you nor an administrator can end or shorten it. It can be replaced by a longer one.",
    ],
  },
  {
    title: "Reality check, clock and session result",
    lines: [
      "At an interval of 15 to 120 minutes you are shown how long you have been signed in and have played, what you have staked, what was paid, and the result. You choose whether to go on.",
      "It pauses autobet, and waits until a running round of crash or stonks is over.",
      "While you are signed in, the time and the result of your session are always at the top of the page.",
    ],
  },
];

/** What players can use, and exactly how it works. */
export function ToolsPanel() {
  return (
    <Panel title="Your tools">
      <div className="grid gap-6">
        {TOOLS.map(({ title, lines }) => (
          <div key={title}>
            <h3 className="text-14 font-semibold">{title}</h3>
            <ul className="mt-2 grid max-w-[76ch] list-disc gap-1.5 pl-5 text-14 text-ink-2">
              {lines.map((line) => (
                <li key={line} className="text-pretty">
                  {line}
                </li>
              ))}
            </ul>
          </div>
        ))}
      </div>
    </Panel>
  );
}
