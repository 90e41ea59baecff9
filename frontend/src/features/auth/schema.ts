import * as z from "zod/mini";

const username = z.string().check(
  z.minLength(3, "Username must be at least 3 characters"),
  z.maxLength(32, "Username must be at most 32 characters"),
  z.regex(/^[A-Za-z0-9_-]*$/, "Username may contain only letters, digits, _ and -"),
);
const password = z.string().check(z.minLength(6, "Password must be at least 6 characters"));

export const loginSchema = z.object({
  username: z.string().check(z.minLength(3, "Username must be at least 3 characters")),
  password,
});

export const registerSchema = z
  .object({
    username,
    password,
    passwordConfirm: password,
    isOfAge: z.boolean().check(z.refine((value) => value, "You must be over 18 and agree to the terms")),
  })
  .check(z.refine((form) => form.password === form.passwordConfirm, { message: "Passwords don't match", path: ["passwordConfirm"] }));

export type LoginForm = z.infer<typeof loginSchema>;
export type RegisterForm = z.infer<typeof registerSchema>;
