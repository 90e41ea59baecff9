import { createContext, type ReactNode, use, useCallback, useMemo, useState } from "react";
import { useNavigate } from "react-router-dom";
import { Button, Dialog } from "@/components";

const FLAG = "usWarningShown";
const REGISTER = "/auth?tab=register";

const SignUpContext = createContext<() => void>(() => undefined);

/** Starts the way to an account: the notice first, unless it was acknowledged in this browser session. */
export const useSignUp = (): (() => void) => use(SignUpContext);

export function UsRestrictionProvider({ children }: { children: ReactNode }) {
  const [isOpen, setOpen] = useState(false);
  const navigate = useNavigate();
  const signUp = useCallback(() => {
    if (sessionStorage.getItem(FLAG) === "true") void navigate(REGISTER);
    else setOpen(true);
  }, [navigate]);
  function acknowledge() {
    sessionStorage.setItem(FLAG, "true");
    setOpen(false);
    void navigate(REGISTER);
  }
  const value = useMemo(() => signUp, [signUp]);
  return (
    <SignUpContext value={value}>
      {children}
      <Dialog
        open={isOpen}
        onOpenChange={setOpen}
        title="US User Notification"
        description="Glasshouse is not supported in the United States. Please acknowledge that you are not based in the US before you go on."
        footer={
          <Button variant="primary" onClick={acknowledge}>
            I understand, I am not based in the US
          </Button>
        }
      />
    </SignUpContext>
  );
}
