import { readFileSync } from "node:fs";
import { basename } from "node:path";
import type { FullResult, Reporter, TestCase, TestError, TestResult } from "@playwright/test/reporter";

/** How much of an error is repeated, in lines. */
const ERROR_LINES = 16;
/** How much of the page is shown as it was when a test failed, in lines of its accessibility tree. */
const PAGE_LINES = 60;

/** Removes the colours that errors have on a terminal. */
// oxlint-disable-next-line no-control-regex -- a colour begins with the control character ESC
const plain = (text: string): string => text.replaceAll(/\u001B\[[0-9;]*m/g, "");

const place = ({ location }: TestError): string => (location ? `${basename(location.file)}:${location.line}: ` : "");

const briefly = (error: TestError): string[] =>
  plain(`${place(error)}${error.message ?? "no message"}`)
    .split("\n")
    .filter((line) => line.trim() !== "")
    .slice(0, ERROR_LINES);

/** The page as it was, of which the end is the newest: dialogs and toasts come after everything else. */
function pageOf({ attachments }: TestResult): string[] {
  const path = attachments.find(({ name }) => name === "error-context")?.path;
  const tree = path === undefined ? undefined : /```yaml\n([^]*?)\n```/.exec(readFileSync(path, "utf8"))?.[1];
  if (tree === undefined) return [];
  const lines = tree.split("\n");
  return [`The end of the page, ${lines.length} lines in all:`, ...lines.slice(-PAGE_LINES)];
}

const indented = (title: string, lines: readonly string[]): string => [`  ${title}`, ...lines].join("\n    ");

/**
 * Repeats in the last lines what failed and how, for whoever sees only the end of the log: the errors come last, because
 * a page is longer than what is kept of a log.
 */
export default class FailuresReporter implements Reporter {
  readonly #pages: string[] = [];
  readonly #errors: string[] = [];

  onTestEnd(test: TestCase, result: TestResult): void {
    if (result.status === test.expectedStatus || result.status === "skipped") return;
    const title = test.titlePath().filter(Boolean).join(" › ");
    this.#pages.push(indented(title, pageOf(result)));
    this.#errors.push(indented(title, result.errors.flatMap(briefly)));
  }

  onEnd({ status }: FullResult): void {
    if (status === "passed" || this.#errors.length === 0) return;
    process.stdout.write(`\n${[...this.#pages, ...this.#errors].join("\n")}\n`);
  }
}
