import {
  cloneElement,
  type ComponentProps,
  type KeyboardEvent,
  type MouseEvent,
  type ReactElement,
  type ReactNode,
  useEffect,
  useRef,
} from "react";
import { cn } from "@/lib/class-names";
import { moveFocus } from "./arrow-keys";
import { useMenu } from "./menu";

const ITEM = '[role="menuitem"]';

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
