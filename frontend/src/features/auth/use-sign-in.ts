import { api, errorCode, type ErrorCode, refusalMessage } from "@/api/client";
import { useSession } from "@/api/session";
import type { components } from "@/api/schema";
import { toast } from "@/components";
import * as refusals from "@/lib/refusals";

type Login = components["schemas"]["Login"];

/** What is said of an account that cannot be used even with the right password. */
const UNUSABLE_ACCOUNTS: Partial<Record<ErrorCode, string>> = {
  account_banned: "Account Banned",
  account_closed: "Account Closed",
};

/** Signs in, or says why not; returns the code of what the form deals with itself. */
export function useSignIn() {
  const { setUser } = useSession();
  return async (body: Login): Promise<"second_factor_required" | "invalid_second_factor" | null> => {
    try {
      const { data: user } = await api.POST("/api/login", { body });
      if (!user) return null;
      toast({ title: "Login Successful", description: `Welcome back, ${user.username}!` });
      await setUser(user);
    } catch (error) {
      const code = errorCode(error);
      if (code === "second_factor_required" || code === "invalid_second_factor") return code;
      toast({
        title: (code && UNUSABLE_ACCOUNTS[code]) ?? "Login Failed",
        description: refusalMessage(error, refusals.invalidCredentials.text),
        variant: "destructive",
      });
    }
    return null;
  };
}
