// Payments in progress, or with something left to do.

import { Badge, Button, EmptyState, Panel } from "@/components";
import { Ago } from "@/components/ago";
import { centsOf, formatDollars } from "@/lib/money";
import type { PaymentIdType, PaymentStatus } from "../api/admin";
import type { AdminPages } from "../api/admin-pages";
import type { PaymentRef } from "../decisions/confirm-payment-dialog";
import { isConfirmable } from "../decisions/rules";
import { LongText, PaymentStatusBadge, UserLink } from "../lists/cells";
import { ClearFilters, Filter, ListBar, SearchBox } from "../lists/list-bar";
import { type Column, RecordList, RecordTable } from "../lists/record-list";
import type { useChoice, useSearch } from "../lists/url-state";
import { IfPermitted } from "../permissions";
import { STANDINGS } from "./payment-choices";

type Standing = (typeof STANDINGS)[number]["value"];
type PaymentHandlers = {
  onCheck(id: string, idType?: PaymentIdType): Promise<void>;
  checkingId: string | null;
  onConfirm(payment: PaymentRef): void;
};
type ActivePaymentsProps = PaymentHandlers & {
  payments: AdminPages<PaymentStatus>;
  search: ReturnType<typeof useSearch>;
  standing: ReturnType<typeof useChoice<Standing>>;
};

export function ActivePayments({ payments, search, standing, ...handlers }: ActivePaymentsProps) {
  const isFiltered = search.value !== "" || standing.value !== "all";
  return (
    <Panel title="Active Payments">
      <ListBar
        noun="payments"
        list={payments.list}
        query={payments.query}
        isLoading={payments.isLoading}
        onRefresh={() => void payments.reload()}
      >
        <SearchBox label="Search by payment, order or invoice" search={search} />
        <Filter label="Standing" value={standing.value} onChoose={standing.choose} options={STANDINGS} />
      </ListBar>
      <RecordList
        pages={payments}
        noun="payments"
        empty={
          <EmptyState title="No active payments" action={isFiltered && <ClearFilters />}>
            {isFiltered ? "Nothing matches your filters." : "Payments appear here until they are final."}
          </EmptyState>
        }
      >
        {(rows) => (
          <RecordTable
            label="Active payments"
            columns={columnsFor(handlers)}
            rows={rows}
            keyOf={(payment) => `payment-${payment.payment_id}`}
          />
        )}
      </RecordList>
    </Panel>
  );
}

function columnsFor(handlers: PaymentHandlers): Column<PaymentStatus>[] {
  return [
    {
      name: "Payment ID",
      isWide: true,
      cell: (payment) => (
        <span className="inline-flex flex-wrap items-center gap-2">
          <code className="break-all font-mono text-13">{payment.payment_id}</code>
          {payment.id_type === "invoice" && <Badge>invoice</Badge>}
        </span>
      ),
    },
    {
      name: "Order ID",
      isWide: true,
      className: "max-w-[190px] @max-[860px]:max-w-none",
      cell: (payment) =>
        payment.order_id === null ? (
          "None"
        ) : (
          <LongText text={payment.order_id} label={`Copy the order ID of ${payment.payment_id}`} />
        ),
    },
    {
      name: "User",
      cell: (payment) =>
        payment.user_id === null ? (
          <span className="text-ink-3">Unknown</span>
        ) : (
          <UserLink id={payment.user_id} username={payment.username} />
        ),
    },
    {
      name: "Amount",
      isNumber: true,
      cell: (payment) => (
        <>
          {payment.standing === "orphan" ? (
            <span className="text-ink-3">Unknown</span>
          ) : (
            formatDollars(centsOf(payment.amount))
          )}
          <span className="block text-12 text-ink-3">{payment.currency.toUpperCase()}</span>
        </>
      ),
    },
    { name: "Status", cell: (payment) => <Status payment={payment} /> },
    { name: "Last Checked", cell: (payment) => <Ago iso={payment.last_checked} /> },
    { name: "Actions", isWide: true, cell: (payment) => <Actions payment={payment} {...handlers} /> },
  ];
}

function Status({ payment }: { payment: PaymentStatus }) {
  const creditedCents = centsOf(payment.credited_amount);
  const needs = payment.standing === "tracked" ? payment.reviews.length > 0 && "needs attention" : payment.standing;
  return (
    <>
      <span className="flex flex-wrap gap-1">
        <PaymentStatusBadge status={payment.status} />
        {needs && <Badge className="text-brass">{needs}</Badge>}
      </span>
      <span className="mt-1 block text-12 text-ink-3">
        {creditedCents > 0 ? `${formatDollars(creditedCents)} credited` : "Not processed"}
      </span>
    </>
  );
}

function Actions({ payment, onCheck, checkingId, onConfirm }: PaymentHandlers & { payment: PaymentStatus }) {
  const { payment_id: id } = payment;
  const idType = payment.id_type === "invoice" ? "invoice" : "payment";
  return (
    <div className="flex flex-wrap gap-2">
      <IfPermitted permission="check_payments">
        <Button
          size="small"
          loading={checkingId === id}
          aria-label={`Check Now ${id}`}
          onClick={() => void onCheck(id, idType)}
        >
          Check Now
        </Button>
      </IfPermitted>
      {isConfirmable(payment) && (
        <IfPermitted permission="confirm_payments">
          <Button
            size="small"
            aria-label={`Confirm ${id}`}
            onClick={() => onConfirm({ id, idType, userId: payment.user_id })}
          >
            Confirm
          </Button>
        </IfPermitted>
      )}
    </div>
  );
}
