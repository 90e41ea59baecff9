// Payments: checks, manual confirmations, reviews, and payments in progress.

import { useState } from "react";
import { useSession } from "@/api/session";
import type { PaymentCheck } from "../api/admin";
import { useAdminList } from "../api/admin-pages";
import { useApproval } from "../approvals/use-approval";
import { ConfirmPaymentDialog, type PaymentRef, type PaymentWithRest } from "../decisions/confirm-payment-dialog";
import { restCentsOf } from "../decisions/rules";
import { focusRecord } from "../lists/record-list";
import { useChoice, useSearch } from "../lists/url-state";
import { usePointedAt } from "../live/live-list";
import { useRefreshPending } from "../live/pending-work";
import { ActivePayments } from "../payments/active-payments";
import { CheckPanel } from "../payments/payment-check";
import { REVIEW_STATES, STANDINGS } from "../payments/payment-choices";
import { ReviewsPanel } from "../payments/reviews-panel";
import { useCheck } from "../payments/use-check";
import { IfPermitted } from "../permissions";

/** Finds what is left of partially credited payments, independent of the lists' filters. */
const OVERPAID = { open: "true", kind: "overpaid" };

export default function PaymentsTab() {
  const search = useSearch();
  const standing = useChoice("standing", STANDINGS);
  const reviewState = useChoice("open", REVIEW_STATES);
  const payments = useAdminList("payment-statuses", {
    search: search.value,
    standing: standing.value === "all" ? undefined : standing.value,
  });
  const reviews = useAdminList("reviews", { open: reviewState.value });
  const overpaid = useAdminList("reviews", OVERPAID);
  const [paymentToConfirm, setPaymentToConfirm] = useState<PaymentWithRest | null>(null);
  const activePayments = usePointedAt();
  const { user: me, refresh } = useSession();
  const approval = useApproval();
  const refreshPending = useRefreshPending();
  const reloadPayments = () => Promise.all([payments.reload(), overpaid.reload()]);
  const reload = () => Promise.all([reloadPayments(), reviews.reload()]);
  const check = useCheck((answer: PaymentCheck) => {
    void reload();
    // The check may have credited the administrator's own deposit.
    if (answer.user_id === me?.id) void refresh();
  });
  const openConfirm = (payment: PaymentRef) =>
    setPaymentToConfirm({ ...payment, restCents: restCentsOf(overpaid.entries, payment.id) });
  /** After a row's action the lists are reloaded, and the row may disappear. */
  async function settle(record: string) {
    // The credit may have been proposed instead.
    void approval.mutate();
    refreshPending();
    await Promise.all([reload(), check.renew()]);
    focusRecord(record);
  }
  return (
    <div className="grid gap-4">
      <IfPermitted permission="check_payments">
        <CheckPanel check={check} onConfirm={openConfirm} />
      </IfPermitted>
      <ReviewsPanel
        reviews={reviews}
        state={reviewState}
        // Whenever a review is added or removed, the payments below would move under the pointer.
        isBusy={paymentToConfirm !== null || activePayments.isPointedAt}
        onCheck={check.run}
        checkingId={check.runningId}
        onConfirm={openConfirm}
        onResolved={() => {
          refreshPending();
          void reloadPayments();
        }}
        onConflict={(record) => void settle(record)}
      />
      <div {...activePayments.area}>
        <ActivePayments
          payments={payments}
          search={search}
          standing={standing}
          onCheck={check.run}
          checkingId={check.runningId}
          onConfirm={openConfirm}
        />
      </div>
      {paymentToConfirm !== null && (
        <ConfirmPaymentDialog
          payment={paymentToConfirm}
          onCancel={() => setPaymentToConfirm(null)}
          onSettled={() => {
            setPaymentToConfirm(null);
            void settle(`payment-${paymentToConfirm.id}`);
          }}
        />
      )}
    </div>
  );
}
