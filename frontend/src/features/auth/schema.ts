import * as z from "zod/mini";
import * as refusals from "@/lib/refusals";

const username = z
  .string()
  .check(
    z.minLength(3, refusals.usernameTooShort.text),
    z.maxLength(32, refusals.usernameTooLong.text),
    z.regex(/^[A-Za-z0-9_-]*$/, refusals.usernameForbiddenCharacter.text),
  );
const password = z.string().check(z.minLength(6, refusals.passwordTooShort.text));

export const loginSchema = z.object({
  username: z.string().check(z.minLength(3, refusals.usernameTooShort.text)),
  password,
});

export const registerSchema = z
  .object({
    username,
    /** Empty if there is none. */
    email: z.string().check(z.trim(), z.regex(/^([^@\s]+@[^@\s]+\.[^@\s]+)?$/, refusals.email.text)),
    password,
    passwordConfirm: password,
    isOfAge: z.boolean().check(z.refine((value) => value, "You must be over 18 and agree to the terms")),
  })
  .check(
    z.refine((form) => form.password === form.passwordConfirm, {
      message: "Passwords don't match",
      path: ["passwordConfirm"],
    }),
  );

export type LoginForm = z.infer<typeof loginSchema>;
export type RegisterForm = z.infer<typeof registerSchema>;
