import { createContext, type ReactNode, use, useCallback, useEffect, useState } from "react";
import { useLocation, useNavigate } from "@/lib/address";
import { LoadedPart } from "@/components/loaded-part";
import { lazyPart } from "@/lib/lazy-part";

const Notice = lazyPart(() => import("./notice"));

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
      <LoadedPart isWanted={isOpen} onFailed={() => setOpen(false)}>
        <Notice open={isOpen} onOpenChange={onOpenChange} onAcknowledge={acknowledge} />
      </LoadedPart>
    </SignUpContext>
  );
}
