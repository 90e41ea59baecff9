import { useNavigate } from "@/lib/address";
import { api, errorMessage } from "@/api/client";
import { useSession } from "@/api/session";
import { toast } from "@/components";

/** Ends the session and shows the result as a toast. */
export function useLogOut(): () => Promise<void> {
  const { setUser } = useSession();
  const navigate = useNavigate();
  return async () => {
    try {
      await api.POST("/api/logout");
      await setUser(null);
      toast({ title: "Logged Out", description: "You have been successfully logged out." });
      void navigate("/");
    } catch (error) {
      toast({
        title: "Logout Failed",
        description: errorMessage(error, "Something went wrong"),
        variant: "destructive",
      });
    }
  };
}
