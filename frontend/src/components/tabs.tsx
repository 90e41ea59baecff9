import { type ComponentProps, createContext, type KeyboardEvent, use, useId, useMemo } from "react";
import { cn } from "@/lib/class-names";
import { moveFocus } from "./arrow-keys";

type Shared = { id: string; value: string; isManual: boolean; select(value: string): void };

const TabsContext = createContext<Shared | null>(null);

function useTabs(): Shared {
  const tabs = use(TabsContext);
  if (!tabs) throw new Error("The parts of tabs need Tabs around them");
  return tabs;
}

type TabsProps = Omit<ComponentProps<"div">, "onChange"> & {
  value: string;
  onValueChange(value: string): void;
  /** Whether the arrow keys open a tab or only move the focus. */
  activationMode?: "automatic" | "manual";
};

/** Content of which one part is shown at a time. */
export function Tabs({ value, onValueChange, activationMode = "automatic", ...rest }: TabsProps) {
  const id = useId();
  const isManual = activationMode === "manual";
  const tabs = useMemo<Shared>(
    () => ({ id, value, isManual, select: (next) => next !== value && onValueChange(next) }),
    [id, value, isManual, onValueChange],
  );
  return (
    <TabsContext value={tabs}>
      <div {...rest} />
    </TabsContext>
  );
}

/** The tabs themselves: one stop for the Tab key, and arrow keys between them. */
export function TabsList({ className, ...rest }: ComponentProps<"div">) {
  const { isManual } = useTabs();
  function onKeyDown(event: KeyboardEvent<HTMLElement>) {
    const index = moveFocus(event, '[role="tab"]', "horizontal");
    if (index !== null && !isManual && document.activeElement instanceof HTMLElement) document.activeElement.click();
  }
  return (
    <div
      role="tablist"
      // The tabs receive the focus.
      tabIndex={-1}
      onKeyDown={onKeyDown}
      className={cn("tabs-list outline-none", className)}
      {...rest}
    />
  );
}

export function TabsTrigger({ value, className, ...rest }: ComponentProps<"button"> & { value: string }) {
  const tabs = useTabs();
  const isSelected = tabs.value === value;
  return (
    <button
      type="button"
      role="tab"
      id={`${tabs.id}-tab-${value}`}
      aria-selected={isSelected}
      aria-controls={`${tabs.id}-content-${value}`}
      data-state={isSelected ? "active" : "inactive"}
      tabIndex={isSelected ? 0 : -1}
      onClick={() => tabs.select(value)}
      className={cn("tabs-trigger", className)}
      {...rest}
    />
  );
}

type TabsContentProps = ComponentProps<"div"> & {
  value: string;
  /** Keeps the content in the page while another tab is shown; the caller hides it by `data-state`. */
  forceMount?: boolean;
};

export function TabsContent({ value, forceMount = false, children, ...rest }: TabsContentProps) {
  const tabs = useTabs();
  const isSelected = tabs.value === value;
  return (
    <div
      role="tabpanel"
      id={`${tabs.id}-content-${value}`}
      aria-labelledby={`${tabs.id}-tab-${value}`}
      data-state={isSelected ? "active" : "inactive"}
      hidden={!isSelected && !forceMount}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the content follows its tab in the tab order
      tabIndex={0}
      {...rest}
    >
      {isSelected || forceMount ? children : null}
    </div>
  );
}
