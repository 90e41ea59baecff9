import { cloneElement, type ComponentProps, isValidElement, type ReactNode } from "react";
import { Link, type LinkProps } from "@/lib/address";
import { cn } from "@/lib/class-names";
import { Spinner } from "./spinner";

type ButtonStyle = {
  variant?: "primary" | "secondary" | "ghost" | "danger" | undefined;
  size?: "small" | "medium" | "large" | undefined;
};

/** `styles/components.css` has the looks. */
const looksOf = ({ variant = "secondary", size = "medium" }: ButtonStyle) => `button button-${variant} button-${size}`;

type ButtonProps = ComponentProps<"button"> & ButtonStyle & { loading?: boolean; asChild?: boolean };

/** A button; with `asChild` its child, such as a link, that looks like one. */
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
  const looks = cn(looksOf({ variant, size }), className);
  if (asChild && isValidElement<{ className?: string }>(children))
    return cloneElement(children, { className: cn(looks, children.props.className) });
  return (
    <button type="button" className={looks} disabled={disabled || loading} aria-busy={loading || undefined} {...rest}>
      {loading && <Spinner />}
      {children}
    </button>
  );
}

export function LinkButton({ variant, size, className, ...rest }: LinkProps & ButtonStyle) {
  return <Link className={cn(looksOf({ variant, size }), className)} {...rest} />;
}

type IconButtonProps = Omit<ComponentProps<"button">, "children"> & { label: string; icon: ReactNode };

/** A button with only an icon: its label is read out and shown on hover. */
export function IconButton({ label, icon, className, ...rest }: IconButtonProps) {
  return (
    <button type="button" aria-label={label} title={label} className={cn("icon-button", className)} {...rest}>
      {icon}
    </button>
  );
}
