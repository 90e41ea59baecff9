import { DropdownMenu as Radix } from "radix-ui";
import { type ComponentProps, createContext, type ReactNode, use, useMemo, useState } from "react";
import { cn } from "@/lib/class-names";
import { closeOnPassedEscape } from "./escape";

type Menu = { close(): void; landmark: HTMLElement | null; findLandmark(trigger: Element): void };

const MenuContext = createContext<Menu | null>(null);

function useMenu(): Menu {
  const menu = use(MenuContext);
  if (!menu) throw new Error("The parts of a menu need a DropdownMenu around them");
  return menu;
}

/**
 * A non-modal menu. A modal one would hide the page's heading and landmarks from screen readers, but not its focusable
 * controls.
 */
export function DropdownMenu({ children }: { children: ReactNode }) {
  const [isOpen, setOpen] = useState(false);
  const [landmark, setLandmark] = useState<HTMLElement | null>(null);
  const menu = useMemo<Menu>(
    () => ({
      close: () => setOpen(false),
      landmark,
      findLandmark: (trigger) => setLandmark(trigger.closest<HTMLElement>("header, nav, main")),
    }),
    [landmark],
  );
  return (
    <MenuContext value={menu}>
      <Radix.Root modal={false} open={isOpen} onOpenChange={setOpen}>
        {children}
      </Radix.Root>
    </MenuContext>
  );
}

export function DropdownMenuTrigger(props: ComponentProps<typeof Radix.Trigger>) {
  const { findLandmark } = useMenu();
  return <Radix.Trigger ref={(trigger) => void (trigger && findLandmark(trigger))} {...props} />;
}

export function DropdownMenuContent({ className, ...rest }: ComponentProps<typeof Radix.Content>) {
  const { close, landmark } = useMenu();
  return (
    // Inside the landmark of its trigger, where screen readers find it.
    <Radix.Portal container={landmark}>
      <Radix.Content
        sideOffset={8}
        collisionPadding={12}
        onKeyDown={closeOnPassedEscape(close)}
        className={cn("z-50 min-w-[220px] rounded-panel border border-line bg-raised p-1.5 shadow-float", className)}
        {...rest}
      />
    </Radix.Portal>
  );
}

export function DropdownMenuItem({ className, ...rest }: ComponentProps<typeof Radix.Item>) {
  return (
    <Radix.Item
      className={cn(
        "target flex cursor-pointer items-center justify-between gap-3 rounded-control px-3 text-14 text-ink outline-none data-[highlighted]:bg-line",
        className,
      )}
      {...rest}
    />
  );
}

export function DropdownMenuSeparator() {
  return <Radix.Separator className="my-1.5 h-px bg-line" />;
}
