import { cva, type VariantProps } from "class-variance-authority";
import { Slot } from "radix-ui";
import type { ComponentProps } from "react";
import { Link, type LinkProps } from "react-router-dom";
import { cn } from "@/lib/class-names";
import { Spinner } from "./spinner";

const button = cva(
  "edge inline-flex select-none items-center justify-center gap-2 whitespace-nowrap rounded-control font-semibold transition-colors duration-[120ms] ease-house disabled:cursor-not-allowed disabled:opacity-55",
  {
    variants: {
      variant: {
        primary: "bg-brass text-on-brass enabled:hover:bg-[oklch(0.88_0.14_85)] [a&]:hover:bg-[oklch(0.88_0.14_85)]",
        secondary: "border border-control bg-raised text-ink enabled:hover:bg-line [a&]:hover:bg-line",
        ghost: "text-ink-2 enabled:hover:bg-raised enabled:hover:text-ink [a&]:hover:bg-raised [a&]:hover:text-ink",
        danger: "bg-loss-fill text-ink enabled:hover:brightness-110",
      },
      size: {
        small: "target min-w-11 px-3 text-13",
        medium: "min-h-[44px] px-4 text-14",
        large: "h-[52px] px-6 text-16",
      },
    },
    defaultVariants: { variant: "secondary", size: "medium" },
  },
);

type ButtonStyle = VariantProps<typeof button>;
type ButtonProps = ComponentProps<"button"> & ButtonStyle & { loading?: boolean; asChild?: boolean };

export function Button({
  variant,
  size,
  loading = false,
  asChild = false,
  className,
  children,
  disabled,
  ...rest
}: ButtonProps) {
  const looks = cn(button({ variant, size }), className);
  if (asChild) return <Slot.Root className={looks}>{children}</Slot.Root>;
  return (
    <button type="button" className={looks} disabled={disabled || loading} aria-busy={loading || undefined} {...rest}>
      {loading && <Spinner />}
      {children}
    </button>
  );
}

export function LinkButton({ variant, size, className, ...rest }: LinkProps & ButtonStyle) {
  return <Link className={cn(button({ variant, size }), className)} {...rest} />;
}

type IconButtonProps = Omit<ComponentProps<"button">, "children"> & { label: string; icon: React.ReactNode };

/** A button with only an icon: its label is read out and shown on hover. */
export function IconButton({ label, icon, className, ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      className={cn(
        "inline-flex size-11 shrink-0 items-center justify-center rounded-control text-ink-2 transition-colors duration-[120ms] enabled:hover:bg-raised enabled:hover:text-ink disabled:opacity-55",
        className,
      )}
      {...rest}
    >
      {icon}
    </button>
  );
}
