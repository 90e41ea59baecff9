import { Panel } from "@/components";

const ORGANISATIONS: readonly { name: string; href: string; text: string }[] = [
  {
    name: "GamCare",
    href: "https://www.gamcare.org.uk/",
    text: "Advice and treatment in Great Britain. National Gambling Helpline: 0808 8020 133, free, day and night.",
  },
  {
    name: "BeGambleAware",
    href: "https://www.begambleaware.org/",
    text: "Information and self-tests, and a way to treatment, also for families and friends.",
  },
  {
    name: "Gamblers Anonymous",
    href: "https://www.gamblersanonymous.org/",
    text: "Meetings of people who share the problem, all over the world and online.",
  },
  {
    name: "Gambling Therapy",
    href: "https://www.gamblingtherapy.org/",
    text: "Free online support in many languages, wherever you live.",
  },
];

/** Who helps, independently of the house. */
export function HelpPanel() {
  return (
    <Panel title="Where to find help">
      <div className="grid gap-4 text-14 text-ink-2">
        <p className="max-w-[76ch] text-pretty">
          These organisations have nothing to do with us. They help for free, and also those who worry about somebody
          else. Programs such as Gamban block gambling sites on all your devices.
        </p>
        <ul className="grid gap-3">
          {ORGANISATIONS.map(({ name, href, text }) => (
            <li key={name}>
              <a
                href={href}
                target="_blank"
                rel="noopener noreferrer"
                className="target inline-flex items-center font-semibold text-ink underline underline-offset-4 hover:text-brass"
              >
                {name}
                <span className="sr-only"> (opens in a new tab)</span>
              </a>
              <p className="text-pretty">{text}</p>
            </li>
          ))}
        </ul>
      </div>
    </Panel>
  );
}
