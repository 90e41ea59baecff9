import {
  cloneElement,
  type ComponentProps,
  createContext,
  type FocusEvent,
  type KeyboardEvent,
  type MouseEvent,
  type ReactElement,
  type ReactNode,
  use,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
} from "react";
import { cn } from "@/lib/class-names";
import { moveFocus } from "./arrow-keys";

type Opened = "closed" | "by-pointer" | "by-keyboard";
type Menu = {
  id: string;
  opened: Opened;
  open(how: Opened): void;
  /** Closes it; the keyboard continues at its button. */
  close(): void;
};

const MenuContext = createContext<Menu | null>(null);
const ITEM = '[role="menuitem"]';

function useMenu(): Menu {
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

/** The items, while the menu is open. */
export function DropdownMenuContent({ align, children }: { align: "start" | "end"; children: ReactNode }) {
  const { id, opened, close } = useMenu();
  const content = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (opened === "by-pointer") content.current?.focus();
    if (opened === "by-keyboard") content.current?.querySelector<HTMLElement>(ITEM)?.focus();
  }, [opened]);
  if (opened === "closed") return null;
  function onKeyDown(event: KeyboardEvent<HTMLElement>) {
    if (event.key === "Escape") close();
    else if (event.key === "Tab") event.preventDefault();
    else if (moveFocus(event, ITEM, "vertical") === null) focusByLetter(event);
  }
  return (
    <div
      ref={content}
      role="menu"
      id={`${id}-menu`}
      aria-labelledby={`${id}-trigger`}
      tabIndex={-1}
      onKeyDown={onKeyDown}
      className={cn("menu absolute top-full mt-2 outline-none", align === "end" ? "right-0" : "left-0")}
    >
      {children}
    </div>
  );
}

/** Moves on to the next item that begins with the typed letter. */
function focusByLetter({ key, currentTarget }: KeyboardEvent<HTMLElement>): void {
  if (key.length !== 1 || key === " ") return;
  const items = [...currentTarget.querySelectorAll<HTMLElement>(ITEM)];
  const current = items.findIndex((item) => item === document.activeElement);
  const following = [...items.slice(current + 1), ...items.slice(0, current + 1)];
  following.find((item) => item.textContent?.trim().toLowerCase().startsWith(key.toLowerCase()))?.focus();
}

type ItemProps =
  | { asChild: true; children: ReactElement<ComponentProps<"a">> }
  | { asChild?: false; onSelect(): void; children: ReactNode };

/** One action, or a link as its child. */
export function DropdownMenuItem(props: ItemProps) {
  const { close } = useMenu();
  const shared = {
    role: "menuitem",
    tabIndex: -1,
    className: "menu-item",
    onPointerMove: ({ currentTarget }: MouseEvent<HTMLElement>) => currentTarget.focus({ preventScroll: true }),
  };
  if (props.asChild) return cloneElement(props.children, { ...shared, onClick: close });
  const { onSelect, children } = props;
  return (
    <button
      type="button"
      {...shared}
      onClick={() => {
        close();
        onSelect();
      }}
    >
      {children}
    </button>
  );
}

export function DropdownMenuSeparator() {
  return <hr className="my-1.5 h-px border-0 bg-line" />;
}
