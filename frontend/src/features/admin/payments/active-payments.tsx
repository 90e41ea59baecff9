// Payments in progress, or with something left to do.

import { Badge, EmptyState, Panel } from "@/components";
import { Ago } from "@/components/ago";
import { centsOf, formatWire } from "@/lib/money";
import type { PaymentIdType, PaymentStatus } from "../api/admin";
import type { AdminPages } from "../api/admin-pages";
import type { PaymentRef } from "../decisions/confirm-payment-dialog";
import { isConfirmable } from "../decisions/rules";
import { ExactTime, LongText, PageLink, paymentAddress, PaymentStatusBadge, UserLink, WholeText } from "../lists/cells";
import { ClearFilters, Filter, ListBar, SearchBox, UpdatedAt } from "../lists/list-bar";
import { RecordList } from "../lists/record-list";
import { type Column, type Detail, RecordTable } from "../lists/record-table";
import { type RowAction, RowActions } from "../lists/row-actions";
import type { useChoice, useSearch } from "../lists/url-state";
import { asLabel } from "../lists/wording";
import { usePermission } from "../permissions";
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
    <Panel title="Active Payments" actions={<UpdatedAt atMs={payments.loadedAtMs} />}>
      <ListBar
        noun="payments"
        list={payments.list}
        query={payments.query}
        isLoading={payments.isLoading}
        onRefresh={() => void payments.reload()}
        savedAs="payments"
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
            nameOf={(payment) => `payment ${payment.payment_id}`}
            detailsOf={detailsOf}
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
      className: "max-w-[200px]",
      cell: (payment) => <code className="font-mono text-13">{payment.payment_id}</code>,
    },
    {
      name: "Order ID",
      className: "max-w-[150px]",
      cell: (payment) =>
        payment.order_id === null ? (
          "None"
        ) : (
          <LongText text={payment.order_id} label={`Copy the order ID of ${payment.payment_id}`} />
        ),
    },
    {
      name: "User",
      card: "title",
      className: "max-w-[200px] truncate",
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
      card: "value",
      cell: (payment) => (
        <>
          {amountOf(payment)} <span className="text-12 text-ink-3">{payment.currency.toUpperCase()}</span>
        </>
      ),
    },
    {
      name: "Status",
      card: "state",
      className: "max-w-[230px] @max-[1000px]:max-w-none",
      cell: (payment) => <Status payment={payment} />,
    },
    { name: "Last Checked", card: "note", cell: (payment) => <Ago iso={payment.last_checked} /> },
    { name: "Actions", card: "actions", cell: (payment) => <Actions payment={payment} {...handlers} /> },
  ];
}

/** What an orphan is worth is not known. */
const amountOf = ({ standing, amount }: PaymentStatus): string =>
  standing === "orphan" ? "Unknown" : formatWire(amount);

const creditedText = ({ credited_amount: credited }: PaymentStatus): string =>
  centsOf(credited) > 0 ? `${formatWire(credited)} credited` : "Not processed";

const detailsOf = (payment: PaymentStatus): Detail[] => [
  ["Payment ID", <WholeText key="id" text={payment.payment_id} label={`Copy the payment ID ${payment.payment_id}`} />],
  payment.id_type === "invoice"
    ? ["Kind", "Invoice"]
    : [
        "History",
        <PageLink key="page" to={paymentAddress(payment.payment_id)}>
          Everything about this payment
        </PageLink>,
      ],
  payment.order_id === null
    ? null
    : ["Order ID", <WholeText key="order" text={payment.order_id} label={`Copy the order ID ${payment.order_id}`} />],
  ["Standing", asLabel(payment.standing)],
  ["Credited", creditedText(payment)],
  ["Last checked", <ExactTime key="checked" iso={payment.last_checked} />],
];

function Status({ payment }: { payment: PaymentStatus }) {
  const needs = payment.standing === "tracked" ? payment.reviews.length > 0 && "needs attention" : payment.standing;
  return (
    <span className="flex min-w-0 items-center gap-2">
      <PaymentStatusBadge status={payment.status} />
      {needs && <Badge className="text-brass">{needs}</Badge>}
      {payment.id_type === "invoice" && <Badge>invoice</Badge>}
      <span className="truncate text-12 text-ink-3 @max-[1000px]:hidden" title={creditedText(payment)}>
        {creditedText(payment)}
      </span>
    </span>
  );
}

function Actions({ payment, onCheck, checkingId, onConfirm }: PaymentHandlers & { payment: PaymentStatus }) {
  const mayCheck = usePermission("check_payments");
  const mayConfirm = usePermission("confirm_payments");
  const { payment_id: id } = payment;
  const idType = payment.id_type === "invoice" ? "invoice" : "payment";
  const check: RowAction = {
    label: "Check Now",
    name: `Check Now ${id}`,
    isLoading: checkingId === id,
    run: () => void onCheck(id, idType),
  };
  const confirm: RowAction = {
    label: "Confirm",
    name: `Confirm ${id}`,
    run: () => onConfirm({ id, idType, userId: payment.user_id }),
  };
  return (
    <RowActions
      of={`payment ${id}`}
      actions={[...(mayCheck ? [check] : []), ...(mayConfirm && isConfirmable(payment) ? [confirm] : [])]}
    />
  );
}
