import { describe, expect, it } from "vitest";
import { completedStatus, depositStatus } from "@/test-support/wallet";
import type { DepositStatus } from "./api/wallet";
import {
  asksBeforeClosing,
  BUTTON_LABELS,
  type DepositStage,
  isFinal,
  stageAfter,
  toastOf,
  stageTexts,
} from "./deposit-stages";

const STAGES: DepositStage[] = ["pending", "confirming", "partially_paid", "completed", "failed"];
const OPEN: DepositStage[] = ["pending", "confirming", "partially_paid"];
const external = (external_status: string) => depositStatus({ external_status });

describe("the stage after a status", () => {
  it.each<[DepositStatus, DepositStage | "stays"]>([
    [external("waiting"), "stays"],
    [external("confirming"), "stays"],
    [external("a word that nobody knows"), "stays"],
    [external("finished"), "confirming"],
    [external("confirmed"), "confirming"],
    [external("sending"), "confirming"],
    [external("partially_paid"), "partially_paid"],
    [external("failed"), "failed"],
    [external("expired"), "failed"],
    [external("refunded"), "failed"],
    [depositStatus({ status: "expired" }), "failed"],
    [depositStatus({ status: "failed" }), "failed"],
    // A late payment for an expired deposit is in progress.
    [depositStatus({ status: "expired", external_status: "confirming" }), "stays"],
    [depositStatus({ status: "expired", external_status: "sending" }), "confirming"],
    // A processed deposit is completed, whatever the provider says.
    ...["waiting", "partially_paid", "failed", "refunded", "expired", "confirmed", "finished"].map(
      (word): [DepositStatus, DepositStage] => [depositStatus({ processed: true, external_status: word }), "completed"],
    ),
  ])("%j", (status, expected) => {
    for (const stage of OPEN) expect(stageAfter(stage, status)).toBe(expected === "stays" ? stage : expected);
    for (const stage of ["completed", "failed"] as const) expect(stageAfter(stage, status)).toBe(stage);
  });
});

it("has a label, a toast and a question for each stage", () => {
  const texts = STAGES.map((stage) => [
    stage,
    BUTTON_LABELS[stage],
    toastOf(stage, completedStatus())?.title,
    asksBeforeClosing(stage),
    isFinal(stage),
  ]);
  expect(texts).toEqual([
    ["pending", "Cancel", undefined, true, false],
    ["confirming", "Wait", "Payment Detected!", true, false],
    ["partially_paid", "OK", "Partial Payment Detected!", false, false],
    ["completed", "Done", "Deposit Successful!", false, true],
    ["failed", "Close", "Deposit Failed", false, true],
  ]);
  expect(toastOf("failed", depositStatus())).toMatchObject({
    description: "Your payment could not be processed. Please try again.",
    variant: "destructive",
  });
});

it("says how much was credited", () => {
  const part = depositStatus({ external_status: "partially_paid", creditedAmount: "1050.00", amount: "2000.00" });
  expect(toastOf("partially_paid", part)?.description).toContain("$1,050.00 of $2,000.00 was credited");
  expect(stageTexts("partially_paid", part).text).toContain("You can send the rest to the same payment page");
  expect(stageTexts("completed", completedStatus()).text).toBe("$100.00 was added to your balance.");
  expect(stageTexts("failed", { ...part, external_status: "refunded" }).text).toContain(
    "The $1,050.00 already credited stays in your balance.",
  );
  expect(stageTexts("failed", external("failed")).text).toBe("Your payment could not be processed. Please try again.");
  expect(stageTexts("failed", external("expired")).text).toContain("Money that still arrives will be credited.");
});
