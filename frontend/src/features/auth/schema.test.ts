import { describe, expect, it } from "vitest";
import { loginSchema, registerSchema } from "./schema";

const good = { username: "alice", email: "", password: "tr4vel-lamp", passwordConfirm: "tr4vel-lamp", isOfAge: true };

function messages(form: Partial<typeof good>): string[] {
  const result = registerSchema.safeParse({ ...good, ...form });
  return result.success ? [] : result.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`);
}

describe("registration", () => {
  it("accepts a valid form", () => expect(messages({})).toEqual([]));
  it("accepts an e-mail address", () => expect(messages({ email: " alice@example.com " })).toEqual([]));
  const cases: [Partial<typeof good>, string][] = [
    [{ username: "al" }, "username: Username must be at least 3 characters"],
    [{ username: "a b c" }, "username: Username may contain only letters, digits, _ and -"],
    [{ email: "alice" }, "email: Please enter a valid e-mail address"],
    [{ email: "alice@example.com bob@example.com" }, "email: Please enter a valid e-mail address"],
    [{ password: "12345", passwordConfirm: "12345" }, "password: Password must be at least 6 characters"],
    [{ passwordConfirm: "tr4vel-lamb" }, "passwordConfirm: Passwords don't match"],
    [{ isOfAge: false }, "isOfAge: You must be over 18 and agree to the terms"],
  ];
  it.each(cases)("%o", (change, message) => expect(messages(change)).toContain(message));
});

it("login requires three and six characters", () => {
  const result = loginSchema.safeParse({ username: "al", password: "12345" });
  expect(result.error?.issues.map((issue) => issue.message)).toEqual([
    "Username must be at least 3 characters",
    "Password must be at least 6 characters",
  ]);
});
