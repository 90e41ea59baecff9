import { createContext, type ReactNode, use, useCallback, useEffect, useState } from "react";
import { useLocation, useNavigate } from "react-router-dom";
import { Button, Dialog } from "@/components";

const FLAG = "usWarningShown";
const REGISTER = "/auth?tab=register";

const SignUpContext = createContext<() => void>(() => undefined);

const isAcknowledged = () => sessionStorage.getItem(FLAG) === "true";

/** Starts the registration, after the notice unless it was acknowledged in this browser session. */
export const useSignUp = (): (() => void) => use(SignUpContext);

/** For the screen with the form: also shows the notice to users who did not come through Sign Up. */
export function useNoticeBeforeForm(isFormShown: boolean): void {
  const signUp = useSignUp();
  useEffect(() => {
    if (isFormShown && !isAcknowledged()) signUp();
  }, [isFormShown, signUp]);
}

export function UsRestrictionProvider({ children }: { children: ReactNode }) {
  const [isOpen, setOpen] = useState(false);
  const navigate = useNavigate();
  const { pathname, search, state } = useLocation();
  // Keeps the state, which holds the page to return to after signing in.
  const goTo = useCallback(
    (path: string) => void navigate(path, pathname === "/auth" ? { replace: true, state } : {}),
    [navigate, pathname, state],
  );
  const signUp = useCallback(() => {
    if (isAcknowledged()) goTo(REGISTER);
    else setOpen(true);
  }, [goTo]);
  function acknowledge() {
    sessionStorage.setItem(FLAG, "true");
    setOpen(false);
    goTo(REGISTER);
  }
  function onOpenChange(next: boolean) {
    setOpen(next);
    // Without acknowledging the notice the form is not shown either.
    if (!next && `${pathname}${search}` === REGISTER) goTo("/auth");
  }
  return (
    <SignUpContext value={signUp}>
      {children}
      <Dialog
        open={isOpen}
        onOpenChange={onOpenChange}
        title="US User Notification"
        description="Glasshouse is not supported in the United States. Please acknowledge that you are not based in the US before you continue."
        footer={
          <Button variant="primary" onClick={acknowledge}>
            I understand, I am not based in the US
          </Button>
        }
      />
    </SignUpContext>
  );
}
