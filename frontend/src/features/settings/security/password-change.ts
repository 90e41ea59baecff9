import * as z from "zod/mini";
import type { ErrorCode } from "@/api/client";
import * as refusals from "@/lib/refusals";

export const passwordChangeSchema = z.object({
  currentPassword: z.string().check(z.minLength(1, "Please enter your current password")),
  newPassword: z.string().check(z.minLength(6, refusals.passwordTooShort.text)),
});

export type PasswordChangeForm = z.infer<typeof passwordChangeSchema>;

/** The field that a refusal by the server is about. */
export const FIELDS: Partial<Record<ErrorCode, keyof PasswordChangeForm>> = {
  invalid_credentials: "currentPassword",
  invalid_password: "newPassword",
  password_too_common: "newPassword",
  password_breached: "newPassword",
  password_unchanged: "newPassword",
};
