import { type ReactNode, useEffect, useState } from "react";
import { cn } from "@/lib/class-names";
import { filledParts, type PasswordStrength, strengthText } from "@/lib/password-strength";
import { LiveRegion } from "./live-region";
import { PasswordField, type PasswordFieldProps } from "./password-field";

/** Screen readers hear of the strength once it has not changed for this long, and not after every few letters. */
const ANNOUNCED_AFTER_MS = 1200;

type NewPasswordFieldProps = Omit<PasswordFieldProps, "hint" | "meter"> & {
  /** Null until the server has said. */
  strength: PasswordStrength | null;
  /** Shown until then. */
  hint: ReactNode;
};

/** The field where a password is chosen: it shows how good the password is while it is typed. */
export function NewPasswordField({ strength, hint, ...field }: NewPasswordFieldProps) {
  const text = strength && strengthText(strength);
  return (
    <PasswordField
      {...field}
      autoComplete="new-password"
      hint={
        // Two lines, so that the rest of the form stays where it is.
        <span className="block min-h-9">
          {text === null ? (
            hint
          ) : (
            <>
              <span className="font-semibold text-ink">{text.name}</span>
              {text.advice !== "" && `. ${text.advice}`}
            </>
          )}
        </span>
      }
      meter={
        <>
          <Meter strength={strength} />
          <LateAnnouncement message={text === null ? "" : `Password strength: ${text.name}. ${text.advice}`.trim()} />
        </>
      }
    />
  );
}

const PARTS = [1, 2, 3, 4] as const;

/** The text below it says the same. */
function Meter({ strength }: { strength: PasswordStrength | null }) {
  const filled = strength ? filledParts(strength) : 0;
  return (
    <div aria-hidden data-testid="password-meter" data-filled={filled} className="grid grid-cols-4 gap-1">
      {PARTS.map((part) => (
        <span
          key={part}
          className={cn(
            "edge h-1 rounded-full transition-colors duration-[180ms]",
            part > filled ? "bg-line" : strength?.refusal ? "bg-notice" : "bg-ink",
          )}
        />
      ))}
    </div>
  );
}

function LateAnnouncement({ message }: { message: string }) {
  const [announced, setAnnounced] = useState("");
  useEffect(() => {
    const timer = setTimeout(() => setAnnounced(message), ANNOUNCED_AFTER_MS);
    return () => clearTimeout(timer);
  }, [message]);
  return <LiveRegion message={announced} />;
}
