import type { ReactNode } from "react";
import { HashLine, Panel } from "@/components";

/** What the house serves for audits, besides this page. */
const FILES = [
  { path: "/transparency/key", text: "the verifier keys" },
  { path: "/transparency/rules", text: "the facts about the games, whose hash is in the log" },
  { path: "/log/checkpoint", text: "the latest checkpoint" },
];

/** How anyone can verify everything. */
export function AuditPanel() {
  return (
    <Panel title="How to audit">
      <div className="grid gap-4 text-14 text-ink-2">
        <p>
          You need no account and no permission. The program <code>glasshouse</code> is published with its source code;
          this command downloads the whole log and checks it:
        </p>
        <HashLine label="Command" value={`glasshouse audit ${window.location.origin}`} />
        <p>
          It verifies the signatures, that nothing was removed or changed since your last audit, and the outcome and
          payout of every round. It compares the measured returns with the exact ones and the daily books with the
          rounds, and names the first contradiction. Give it a verifier key from another source with <code>--key</code>,
          and it need not trust this site for anything. With <code>--witness</code> and the key of a witness it reports
          whether others see the same log.
        </p>
        <p>
          The log has the format of{" "}
          <a className={LINK} href="https://c2sp.org/tlog-tiles">
            tlog-tiles
          </a>
          , so other tools can verify it, too:
        </p>
        <ul className="grid gap-1">
          {FILES.map(({ path, text }) => (
            <li key={path}>
              <p>
                <a className={LINK} href={path}>
                  {path}
                </a>
                : {text}
              </p>
            </li>
          ))}
          <li>
            <code>/log/tile/…</code>: the entries and the hashes above them
          </li>
        </ul>
        <p>
          Players can prove more: with their own seeds, that the random words were fixed before they bet. The button{" "}
          <em>Prove everything</em> in the fairness dialog does that.
        </p>
      </div>
    </Panel>
  );
}

const LINK = "inline-flex min-h-6 items-center text-ink underline underline-offset-4 hover:text-brass";

function Limit({ title, children }: { title: string; children: ReactNode }) {
  return (
    <li>
      <strong className="block text-ink">{title}</strong>
      {children}
    </li>
  );
}

/** What none of this shows. */
export function LimitsPanel() {
  return (
    <Panel title="What is not proved">
      <ul className="grid gap-3 text-14 text-ink-2">
        <Limit title="That the house pays withdrawals">
          Receipts prove what the house owes a player, not that it will pay.
        </Limit>
        <Limit title="Rounds of players who never rotate">
          Whether the random words are those of the player’s seeds can be checked only once the server seed is revealed.
        </Limit>
        <Limit title="Rounds with a client seed by the house">
          Their outcome was fixed before the bet, but the house could choose it. Your browser replaces such a seed
          before your first bet.
        </Limit>
        <Limit title="That no round is missing">
          An audit verifies the rounds that are there. Only the player, whose browser has the receipt of each round,
          notices that one is not.
        </Limit>
        <Limit title="When a request arrived">
          The house’s clock decides whether a cash-out was in time. Entries state the second, but not that it is right.
        </Limit>
        <Limit title="What your browser has not kept">
          A new device, or a browser whose storage was cleared, has nothing to compare the house’s answers with, and
          takes the house’s word for its key.
        </Limit>
        <Limit title="That everybody sees the same log">
          Your browser notices when the log contradicts what it saw before. Whether others see the same log, you learn
          from a witness, or by comparing checkpoints with them.
        </Limit>
        <Limit title="That nobody else knows the seeds">
          A thief who has stolen the house’s database and its secret key can predict rounds, and everything is proved of
          them all the same.
        </Limit>
        <Limit title="That this page is honest">
          The house serves the code that checks the log here. An audit with your own copy of the program does not depend
          on it.
        </Limit>
        <Limit title="Anonymity against onlookers">
          Entries contain stakes, payouts and seconds. Whoever watches a player play can find that player’s entries.
        </Limit>
      </ul>
    </Panel>
  );
}
