import { Panel } from "./panel";

/** The rules of a game, step by step. */
export function HowToPlay({ title = "How to play", steps }: { title?: string; steps: readonly string[] }) {
  return (
    <Panel title={title}>
      <ol className="grid max-w-[70ch] list-decimal gap-1.5 pl-5 text-14 text-ink-2">
        {steps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
    </Panel>
  );
}
