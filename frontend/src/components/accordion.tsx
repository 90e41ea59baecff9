import { ChevronDown } from "lucide-react";
import { Accordion as Radix } from "radix-ui";
import type { ReactNode } from "react";

type AccordionProps = { sections: readonly { title: string; content: ReactNode }[]; initial?: string };

/** A list of sections that can be opened independently. */
export function Accordion({ sections, initial }: AccordionProps) {
  return (
    <Radix.Root type="multiple" defaultValue={initial === undefined ? [] : [initial]} className="divide-y divide-line">
      {sections.map(({ title, content }) => (
        <Radix.Item key={title} value={title}>
          <Radix.Header>
            <Radix.Trigger className="group flex min-h-[48px] w-full items-center justify-between gap-3 text-left text-16 font-semibold hover:text-brass">
              {title}
              <ChevronDown
                aria-hidden
                className="size-4 shrink-0 text-ink-2 transition-transform duration-[180ms] ease-house group-data-[state=open]:rotate-180"
              />
            </Radix.Trigger>
          </Radix.Header>
          <Radix.Content className="pb-4 text-14 text-ink-2">{content}</Radix.Content>
        </Radix.Item>
      ))}
    </Radix.Root>
  );
}
