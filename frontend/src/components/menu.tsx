import {
  type ComponentProps,
  createContext,
  type FocusEvent,
  type KeyboardEvent,
  type ReactNode,
  use,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
} from "react";
import { cn } from "@/lib/class-names";
import { LoadedPart } from "./loaded-part";

type Opened = "closed" | "by-pointer" | "by-keyboard";
type Menu = {
  id: string;
  opened: Opened;
  open(how: Opened): void;
  /** Closes it; the keyboard continues at its button. */
  close(): void;
};

const MenuContext = createContext<Menu | null>(null);

export function useMenu(): Menu {
  const menu = use(MenuContext);
  if (!menu) throw new Error("The parts of a menu need a DropdownMenu around them");
  return menu;
}

/**
 * A non-modal menu below its button. A modal one would hide the page's heading and landmarks from screen readers, but
 * not its focusable controls.
 */
export function DropdownMenu({ className, children }: { className?: string; children: ReactNode }) {
  const id = useId();
  const [opened, setOpened] = useState<Opened>("closed");
  const root = useRef<HTMLDivElement>(null);
  const menu = useMemo<Menu>(
    () => ({
      id,
      opened,
      open: setOpened,
      close() {
        setOpened("closed");
        document.getElementById(`${id}-trigger`)?.focus();
      },
    }),
    [id, opened],
  );
  useEffect(() => {
    if (opened === "closed") return undefined;
    const closeOutside = ({ target }: Event) => {
      if (target instanceof Node && !root.current?.contains(target)) setOpened("closed");
    };
    document.addEventListener("pointerdown", closeOutside);
    return () => document.removeEventListener("pointerdown", closeOutside);
  }, [opened]);
  function closeWithFocus({ relatedTarget, currentTarget }: FocusEvent) {
    if (relatedTarget !== null && !currentTarget.contains(relatedTarget)) setOpened("closed");
  }
  return (
    <MenuContext value={menu}>
      <div ref={root} onBlur={closeWithFocus} className={cn("relative", className)}>
        {children}
      </div>
    </MenuContext>
  );
}

export function DropdownMenuTrigger(props: ComponentProps<"button">) {
  const { id, opened, open } = useMenu();
  const isOpen = opened !== "closed";
  function onKeyDown(event: KeyboardEvent) {
    if (event.key !== "ArrowDown") return;
    event.preventDefault();
    open("by-keyboard");
  }
  return (
    <button
      type="button"
      id={`${id}-trigger`}
      aria-haspopup="menu"
      aria-expanded={isOpen}
      aria-controls={isOpen ? `${id}-menu` : undefined}
      onKeyDown={onKeyDown}
      onClick={({ detail }) => open(isOpen ? "closed" : detail === 0 ? "by-keyboard" : "by-pointer")}
      {...props}
    />
  );
}

/** A lazy menu: its items are loaded when the browser is idle, or when it is opened before that. */
export function LateMenuContent({ children }: { children: ReactNode }) {
  const { opened, close } = useMenu();
  return (
    <LoadedPart isWanted={opened !== "closed"} onFailed={close}>
      {children}
    </LoadedPart>
  );
}
