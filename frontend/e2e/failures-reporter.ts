import type { FullResult, Reporter, TestCase, TestResult } from "@playwright/test/reporter";

/** How much of an error is repeated, in lines. */
const ERROR_LINES = 16;

/** Removes the colours that errors have on a terminal. */
// oxlint-disable-next-line no-control-regex -- a colour begins with the control character ESC
const plain = (text: string): string => text.replaceAll(/\u001B\[[0-9;]*m/g, "");

const briefly = ({ error }: TestResult): string =>
  plain(error?.message ?? "no error")
    .split("\n")
    .filter((line) => line.trim() !== "")
    .slice(0, ERROR_LINES)
    .join("\n    ");

/** Repeats in the last lines what failed and how, for whoever sees only the end of the log. */
export default class FailuresReporter implements Reporter {
  readonly #failures: string[] = [];

  onTestEnd(test: TestCase, result: TestResult): void {
    if (result.status === test.expectedStatus || result.status === "skipped") return;
    this.#failures.push(`  ${test.titlePath().filter(Boolean).join(" › ")}\n    ${briefly(result)}`);
  }

  onEnd({ status }: FullResult): void {
    if (status !== "passed" && this.#failures.length > 0) process.stdout.write(`\n${this.#failures.join("\n")}\n`);
  }
}
