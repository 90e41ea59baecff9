import { standardSchemaResolver } from "@hookform/resolvers/standard-schema";
import { Controller, useForm } from "react-hook-form";
import { ApiError, api, refusalMessage } from "@/api/client";
import { useSession } from "@/api/session";
import { Button, Checkbox, Field, Input, toast } from "@/components";
import { type LoginForm, loginSchema, type RegisterForm, registerSchema } from "./schema";

export function LoginFields() {
  const { setUser } = useSession();
  const { register, handleSubmit, formState } = useForm<LoginForm>({
    resolver: standardSchemaResolver(loginSchema),
    defaultValues: { username: "", password: "" },
  });
  async function signIn(form: LoginForm) {
    try {
      const { data: user } = await api.POST("/api/login", { body: form });
      if (!user) return;
      toast({ title: "Login Successful", description: `Welcome back, ${user.username}!` });
      await setUser(user);
    } catch (error) {
      const isBanned = error instanceof ApiError && error.status === 403;
      toast({
        title: isBanned ? "Account Banned" : "Login Failed",
        description: refusalMessage(error, isBanned ? "Account banned" : "Invalid username or password"),
        variant: "destructive",
      });
    }
  }
  return (
    <form onSubmit={(event) => void handleSubmit(signIn)(event)} noValidate className="grid gap-4">
      <Field label="Username" error={formState.errors.username?.message}>
        {(ids) => <Input {...ids} {...register("username")} autoComplete="username" autoCapitalize="none" spellCheck={false} />}
      </Field>
      <Field label="Password" error={formState.errors.password?.message}>
        {(ids) => <Input {...ids} {...register("password")} type="password" autoComplete="current-password" />}
      </Field>
      <Button type="submit" variant="primary" size="large" loading={formState.isSubmitting}>
        Login
      </Button>
    </form>
  );
}

export function RegisterFields() {
  const { setUser } = useSession();
  const { register, control, handleSubmit, formState } = useForm<RegisterForm>({
    resolver: standardSchemaResolver(registerSchema),
    defaultValues: { username: "", password: "", passwordConfirm: "", isOfAge: false },
  });
  const { errors } = formState;
  async function signUp({ username, password }: RegisterForm) {
    try {
      const { data: user } = await api.POST("/api/register", { body: { username, password } });
      if (!user) return;
      toast({ title: "Registration Successful", description: `Welcome to Glasshouse, ${user.username}!` });
      await setUser(user);
    } catch (error) {
      toast({ title: "Registration Failed", description: refusalMessage(error, "Username already exists"), variant: "destructive" });
    }
  }
  return (
    <form onSubmit={(event) => void handleSubmit(signUp)(event)} noValidate className="grid gap-4">
      <Field label="Username" hint="3 to 32 letters, digits, _ or -" error={errors.username?.message}>
        {(ids) => <Input {...ids} {...register("username")} autoComplete="username" autoCapitalize="none" spellCheck={false} />}
      </Field>
      <Field label="Password" hint="At least 6 characters" error={errors.password?.message}>
        {(ids) => <Input {...ids} {...register("password")} type="password" autoComplete="new-password" />}
      </Field>
      <Field label="Confirm password" error={errors.passwordConfirm?.message}>
        {(ids) => <Input {...ids} {...register("passwordConfirm")} type="password" autoComplete="new-password" />}
      </Field>
      <Controller
        control={control}
        name="isOfAge"
        render={({ field }) => (
          <Checkbox checked={field.value} onCheckedChange={field.onChange} error={errors.isOfAge?.message}>
            I am over 18 and agree to the Terms of Service and Privacy Policy
          </Checkbox>
        )}
      />
      <Button type="submit" variant="primary" size="large" loading={formState.isSubmitting}>
        Create Account
      </Button>
    </form>
  );
}
