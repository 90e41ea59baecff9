import { type LucideIcon, Search, X } from "lucide-react";
import { Dialog as Radix } from "radix-ui";
import { type KeyboardEvent, useEffect, useId, useLayoutEffect, useRef, useState } from "react";
import { cn } from "@/lib/class-names";
import { counted } from "@/lib/format";
import { IconButton } from "./button";
import { closing, leaveClicksToOverlay } from "./dismissal";
import { returnFocus } from "./return-focus";

export type Command = { id: string; label: string; hint?: string; Icon?: LucideIcon; run(): void };
export type CommandGroup = { name: string; commands: readonly Command[] };

type CommandDialogProps = {
  title: string;
  placeholder: string;
  query: string;
  onQueryChange(query: string): void;
  groups: readonly CommandGroup[];
  /** The text for an empty list. */
  nothingFound: string;
  /** Whether an empty list is not yet the result. */
  isSearching?: boolean;
  onClose(): void;
  /** Before the chosen command runs. */
  onChoose(command: Command): void;
};

/**
 * A dialog with a search field above a list of commands. The field keeps the focus; the arrow keys select a command and
 * Enter runs it (the combobox pattern). The dialog closes first, so that the command may open another one.
 */
export function CommandDialog(props: CommandDialogProps) {
  const { title, onClose, onChoose } = props;
  const opener = useRef<Element | null>(document.activeElement);
  const chosen = useRef<Command | null>(null);
  function choose(command: Command) {
    onChoose(command);
    chosen.current = command;
    onClose();
  }
  /** The command runs once the focus is back where it was, because its own dialog will return it there. */
  function finish(event: Event) {
    event.preventDefault();
    returnFocus(opener.current);
    chosen.current?.run();
  }
  return (
    <Radix.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Radix.Portal>
        <Radix.Overlay {...closing(onClose)} className="fixed inset-0 z-50 bg-well/80" />
        <Radix.Content
          aria-describedby={undefined}
          onCloseAutoFocus={finish}
          {...leaveClicksToOverlay}
          className="fixed inset-x-2 top-2 z-50 mx-auto flex max-h-[calc(100dvh-1rem)] max-w-[560px] flex-col overflow-hidden rounded-panel bg-panel shadow-float outline-none sm:top-[12dvh] sm:max-h-[70dvh]"
        >
          <Radix.Title className="sr-only">{title}</Radix.Title>
          <CommandSearch {...props} onChoose={choose} />
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

function CommandSearch(props: CommandDialogProps) {
  const { title, placeholder, query, onQueryChange, groups, nothingFound, isSearching = false, onChoose } = props;
  const listId = useId();
  const field = useRef<HTMLInputElement>(null);
  // Before the dialog's own effect, so that no key is lost that follows the shortcut.
  useLayoutEffect(() => field.current?.focus({ preventScroll: true }), []);
  const [selected, setSelected] = useState(0);
  const commands = groups.flatMap((group) => group.commands);
  const optionId = (command: Command) => `${listId}-${command.id}`;
  const current = commands[selected];
  const currentId = current && optionId(current);
  useEffect(() => {
    if (currentId !== undefined) document.getElementById(currentId)?.scrollIntoView({ block: "nearest" });
  }, [currentId]);

  function type(text: string) {
    onQueryChange(text);
    setSelected(0);
  }
  function onKeyDown(event: KeyboardEvent) {
    const next = selectionAfter(event.key, selected, commands.length);
    if (next !== null) {
      event.preventDefault();
      setSelected(next);
    } else if (event.key === "Enter" && current && !event.nativeEvent.isComposing) {
      event.preventDefault();
      onChoose(current);
    }
  }
  return (
    <>
      <div className="flex items-center gap-2 border-b border-line pl-4 pr-1">
        <Search aria-hidden className="size-4 shrink-0 text-ink-3" />
        <input
          ref={field}
          type="text"
          role="combobox"
          aria-label={title}
          aria-expanded={commands.length > 0}
          aria-controls={listId}
          aria-autocomplete="list"
          aria-activedescendant={currentId}
          autoComplete="off"
          spellCheck={false}
          placeholder={placeholder}
          value={query}
          onChange={(event) => type(event.target.value)}
          onKeyDown={onKeyDown}
          className="h-14 min-w-0 flex-1 bg-transparent text-16 text-ink outline-none placeholder:text-ink-3"
        />
        <Radix.Close asChild>
          <IconButton label="Close" icon={<X className="size-5" />} />
        </Radix.Close>
      </div>
      <div id={listId} role="listbox" aria-label="Results" className="min-h-0 overflow-y-auto p-2 empty:hidden">
        {groups.map(
          ({ name, commands: own }) =>
            own.length > 0 && (
              <div key={name} role="group" aria-label={name}>
                <p aria-hidden className="px-3 pb-1 pt-2 text-12 text-ink-3">
                  {name}
                </p>
                {own.map((command) => (
                  <CommandOption
                    key={command.id}
                    id={optionId(command)}
                    command={command}
                    isSelected={command === current}
                    onSelect={() => setSelected(commands.indexOf(command))}
                    onChoose={() => onChoose(command)}
                  />
                ))}
              </div>
            ),
        )}
      </div>
      {commands.length === 0 && <p className="px-5 py-6 text-14 text-ink-2">{nothingFound}</p>}
      <p role="status" className="sr-only">
        {commands.length > 0 ? counted(commands.length, "result") : !isSearching && "Nothing found"}
      </p>
    </>
  );
}

/** The selection after a key, starting again at either end; null for a key that does not move it. */
export function selectionAfter(key: string, selected: number, count: number): number | null {
  if (count === 0) return null;
  if (key === "ArrowDown") return (selected + 1) % count;
  if (key === "ArrowUp") return (selected - 1 + count) % count;
  return null;
}

type CommandOptionProps = {
  id: string;
  command: Command;
  isSelected: boolean;
  onSelect(): void;
  onChoose(): void;
};

function CommandOption({ id, command: { label, hint, Icon }, isSelected, onSelect, onChoose }: CommandOptionProps) {
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus -- the field keeps the focus and handles the keys
    <div
      id={id}
      role="option"
      aria-selected={isSelected}
      onPointerMove={onSelect}
      onClick={onChoose}
      className={cn(
        "flex min-h-11 cursor-pointer items-center gap-3 rounded-control px-3 text-14",
        isSelected ? "bg-raised text-ink outline-1 -outline-offset-1 outline-line" : "text-ink-2",
      )}
    >
      {Icon && <Icon aria-hidden className="size-4 shrink-0" />}
      {label}
      {hint !== undefined && <span className="ml-auto text-12 text-ink-3">{hint}</span>}
    </div>
  );
}
