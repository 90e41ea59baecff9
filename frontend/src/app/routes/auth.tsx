import { useLocation, useSearchParams } from "@/lib/address";
import { PageTitle, Tabs, TabsContent, TabsList, TabsTrigger } from "@/components";
import { LoginFields, RegisterFields } from "@/features/auth";
import { useNoticeBeforeForm, useSignUp } from "@/features/us-restriction";
import { STARTER_GAME } from "@/games/registry";

export default function AuthPage() {
  const [parameters, setParameters] = useSearchParams();
  // The state holds the page to go to afterwards.
  const { state } = useLocation();
  const tab = parameters.get("tab") === "register" ? "register" : "login";
  const signUp = useSignUp();
  useNoticeBeforeForm(tab === "register");
  return (
    <div className="mx-auto grid w-full max-w-[1080px] gap-8 px-4 py-8 lg:grid-cols-[5fr_6fr] lg:gap-16 lg:py-16">
      <PageTitle title={tab === "register" ? "Create Account" : "Login"} />
      <div className="grid content-start gap-6">
        <h1 className="text-40 font-bold" tabIndex={-1}>
          {tab === "register" ? "Create Account" : "Welcome Back"}
        </h1>
        {/* Manual activation: when the notice returns the focus to the tab, the tab must not open it again. */}
        <Tabs
          value={tab}
          activationMode="manual"
          onValueChange={(next) => (next === "register" ? signUp() : setParameters({}, { replace: true, state }))}
          className="grid gap-6"
        >
          <TabsList>
            <TabsTrigger value="login">Login</TabsTrigger>
            <TabsTrigger value="register">Register</TabsTrigger>
          </TabsList>
          <TabsContent value="login">
            <LoginFields />
          </TabsContent>
          <TabsContent value="register">
            <RegisterFields />
          </TabsContent>
        </Tabs>
      </div>
      <aside aria-label="Why Glasshouse" className="grid content-center gap-6 rounded-panel bg-panel p-6 lg:p-10">
        <p className="display max-w-[16ch] text-28 font-bold">The house commits first. You check afterwards.</p>
        <ul className="grid gap-4 text-14 text-ink-2">
          <li>
            <strong className="block text-ink">Provably fair</strong>
            Every roll is computed from seeds that are fixed and hashed before you bet.
          </li>
          <li>
            <strong className="block text-ink">Exact odds</strong>
            {STARTER_GAME.name} returns {STARTER_GAME.rtp.percent} % {STARTER_GAME.rtp.scope}. Fractions of a cent are
            rounded by chance, not in our favour.
          </li>
          <li>
            <strong className="block text-ink">A ledger that adds up</strong>
            Every movement of your money is a separate entry that is never rewritten.
          </li>
        </ul>
      </aside>
    </div>
  );
}
