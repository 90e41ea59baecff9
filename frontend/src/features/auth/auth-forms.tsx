import { standardSchemaResolver } from "@hookform/resolvers/standard-schema";
import { Suspense, useState } from "react";
import { Controller, useForm, useWatch } from "react-hook-form";
import { api, byCode, type ErrorCode, refusalMessage } from "@/api/client";
import { useHouse } from "@/api/house";
import { usePasswordStrength } from "@/api/password-strength";
import { useSession } from "@/api/session";
import { Button, Checkbox, Field, Input, Spinner, toast } from "@/components";
import { NewPasswordField } from "@/components/new-password-field";
import { PasskeyButton } from "@/components/passkey-button";
import { PasswordField } from "@/components/password-field";
import { Link } from "@/lib/address";
import { lazyPart } from "@/lib/lazy-part";
import { canUsePasskeys } from "@/lib/passkeys";
import * as refusals from "@/lib/refusals";
import { useSingleSubmit } from "@/lib/use-single-submit";
import { type LoginForm, loginSchema, type RegisterForm, registerSchema } from "./schema";
import { usePasskeySignIn, useSignIn } from "./use-sign-in";

/** The field that a refusal by the server is about. */
const FIELDS: Partial<Record<ErrorCode, "username" | "email" | "password">> = {
  username_taken: "username",
  invalid_username: "username",
  invalid_email: "email",
  invalid_password: "password",
  password_too_common: "password",
  password_breached: "password",
};

const SecondStep = lazyPart(() => import("./second-step"));

export function LoginFields() {
  const signIn = useSignIn();
  /** What was entered, while the second factor is asked for. */
  const [waiting, setWaiting] = useState<LoginForm | null>(null);
  const [isShown, setShown] = useState(false);
  const { register, handleSubmit, formState } = useForm<LoginForm>({
    resolver: standardSchemaResolver(loginSchema),
    defaultValues: { username: "", password: "" },
  });
  async function submit(form: LoginForm) {
    if ((await signIn(form)) === "second_factor_required") setWaiting(form);
  }
  if (waiting)
    return (
      <Suspense fallback={<Spinner label="Loading" />}>
        <SecondStep credentials={waiting} onBack={() => setWaiting(null)} />
      </Suspense>
    );
  return (
    <form onSubmit={(event) => void handleSubmit(submit)(event)} noValidate className="grid gap-4">
      <Field label="Username" error={formState.errors.username?.message}>
        {(ids) => (
          <Input {...ids} {...register("username")} autoComplete="username" autoCapitalize="none" spellCheck={false} />
        )}
      </Field>
      <PasswordField
        label="Password"
        error={formState.errors.password?.message}
        isShown={isShown}
        onToggle={() => setShown(!isShown)}
        {...register("password")}
        autoComplete="current-password"
      />
      <Button type="submit" variant="primary" size="large" loading={formState.isSubmitting}>
        Login
      </Button>
      {canUsePasskeys() && <PasskeySignIn />}
      <Link to="/forgot-password" className="target inline-flex items-center justify-self-start text-14 underline">
        Forgot password?
      </Link>
    </form>
  );
}

/** Needs neither a username nor a password. */
function PasskeySignIn() {
  const passkey = usePasskeySignIn();
  return (
    <PasskeyButton size="large" {...passkey}>
      Sign in with a passkey
    </PasskeyButton>
  );
}

export function RegisterFields() {
  const { setUser } = useSession();
  const [isShown, setShown] = useState(false);
  const { register, control, handleSubmit, setError, formState } = useForm<RegisterForm>({
    resolver: standardSchemaResolver(registerSchema),
    defaultValues: { username: "", email: "", password: "", passwordConfirm: "", isOfAge: false },
  });
  const { registration, maintenance } = useHouse();
  const { errors } = formState;
  const [username, password] = useWatch({ control, name: ["username", "password"] });
  const strength = usePasswordStrength(password, username);
  async function signUp(form: RegisterForm) {
    try {
      const { username: name, password: chosen, email } = form;
      const body = { username: name, password: chosen, ...(email === "" ? {} : { email }) };
      const { data: user } = await api.POST("/api/register", { body });
      if (!user) return;
      toast({ title: "Registration Successful", description: `Welcome to Glasshouse, ${user.username}!` });
      await setUser(user);
    } catch (error) {
      const message = refusalMessage(error, refusals.usernameTaken.text);
      const field = byCode(FIELDS, error);
      if (field !== undefined) setError(field, { message }, { shouldFocus: true });
      toast({ title: "Registration Failed", description: message, variant: "destructive" });
    }
  }
  // Otherwise the second click of a double click would report that the username is taken.
  const onSubmit = useSingleSubmit(handleSubmit(signUp));
  return (
    <form onSubmit={onSubmit} noValidate className="grid gap-4">
      {registration && (
        <p role="status" className="rounded-control border border-notice bg-raised px-4 py-3 text-pretty text-14">
          <strong className="block font-semibold">
            {maintenance ? "Glasshouse is under maintenance." : "Registration is closed at the moment."}
          </strong>
          <span className="break-words">{registration.reason}</span>
        </p>
      )}
      <Field label="Username" hint="3 to 32 letters, digits, _ or -" error={errors.username?.message}>
        {(ids) => (
          <Input {...ids} {...register("username")} autoComplete="username" autoCapitalize="none" spellCheck={false} />
        )}
      </Field>
      <NewPasswordField
        label="Password"
        strength={strength}
        hint="At least 6 characters. Common passwords, such as 123456, are refused."
        error={errors.password?.message}
        isShown={isShown}
        onToggle={() => setShown(!isShown)}
        {...register("password")}
      />
      <PasswordField
        label="Confirm password"
        error={errors.passwordConfirm?.message}
        isShown={isShown}
        {...register("passwordConfirm")}
        autoComplete="new-password"
      />
      <Field
        label="E-mail (optional)"
        hint="To choose a new password if you forget yours. We send a link to confirm it."
        error={errors.email?.message}
      >
        {(ids) => (
          <Input
            {...ids}
            {...register("email")}
            type="email"
            autoComplete="email"
            autoCapitalize="none"
            spellCheck={false}
          />
        )}
      </Field>
      <Controller
        control={control}
        name="isOfAge"
        render={({ field }) => (
          <Checkbox checked={field.value} onCheckedChange={field.onChange} error={errors.isOfAge?.message}>
            I am over 18 and agree to the{" "}
            <a href="/terms" target="_blank" className="underline">
              Terms of Service
            </a>{" "}
            and{" "}
            <a href="/terms#privacy-policy" target="_blank" className="underline">
              Privacy Policy
            </a>
          </Checkbox>
        )}
      />
      <Button
        type="submit"
        variant="primary"
        size="large"
        disabled={registration !== null}
        loading={formState.isSubmitting}
      >
        Create Account
      </Button>
    </form>
  );
}
