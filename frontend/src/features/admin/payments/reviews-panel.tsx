// Payments that need review, each with what happened and what can be done about it.

import { useState } from "react";
import { Badge, Button, EmptyState, LinkButton, Panel } from "@/components";
import { Ago } from "@/components/ago";
import { centsOf, formatDollars } from "@/lib/money";
import type { PaymentIdType, Review } from "../api/admin";
import type { AdminPages } from "../api/admin-pages";
import type { PaymentRef } from "../decisions/confirm-payment-dialog";
import { ResolveDialog } from "../decisions/resolve-dialog";
import { PaymentLink, PaymentStatusBadge, UserLink, userAddress, DateTime } from "../lists/cells";
import { Filter, ListBar } from "../lists/list-bar";
import { focusRecord, RecordList } from "../lists/record-list";
import type { useChoice } from "../lists/url-state";
import { useLiveList } from "../live/live-list";
import { LiveUpdatedAt } from "../live/live-note";
import { signalsOf, usePendingWork } from "../live/pending-work";
import { IfPermitted } from "../permissions";
import { REVIEW_STATES } from "./payment-choices";
import { offersConfirmation, reviewWords } from "./review-kinds";

export type ReviewHandlers = {
  onCheck(id: string, idType?: PaymentIdType): Promise<void>;
  checkingId: string | null;
  onConfirm(payment: PaymentRef): void;
};
type ReviewsPanelProps = ReviewHandlers & {
  reviews: AdminPages<Review>;
  state: ReturnType<typeof useChoice<(typeof REVIEW_STATES)[number]["value"]>>;
  /** Whether another dialog is open. */
  isBusy: boolean;
  onResolved(): void;
  /** A review differs from what was shown. Its record is named so that the focus can go there. */
  onConflict(record: string): void;
};

/** Only this many are shown at first, because the payments in progress are below. */
const FIRST = 3;

export function ReviewsPanel({ reviews, state, isBusy, onResolved, onConflict, ...handlers }: ReviewsPanelProps) {
  const [resolving, setResolving] = useState<Review | null>(null);
  const [isWhole, setWhole] = useState(false);
  const isShort = !isWhole && reviews.entries.length > FIRST;
  const close = () => setResolving(null);
  const { data: pending } = usePendingWork();
  const live = useLiveList({
    signal: signalsOf(pending)?.reviews,
    reload: reviews.reload,
    isBusy: resolving !== null || isBusy,
  });
  return (
    <Panel title="Needs Attention" actions={<LiveUpdatedAt loadedAtMs={reviews.loadedAtMs} live={live} />}>
      <ListBar
        noun="reviews"
        list={reviews.list}
        query={reviews.query}
        isLoading={reviews.isLoading}
        onRefresh={() => void live.show()}
      >
        <Filter label="Reviews" value={state.value} onChoose={state.choose} options={REVIEW_STATES} />
      </ListBar>
      <RecordList
        pages={reviews}
        noun="reviews"
        {...(isShort
          ? {
              footer: (
                <Button
                  className="justify-self-start"
                  onClick={() => setWhole(true)}
                >{`Show all ${reviews.entries.length}${reviews.hasMore ? "+" : ""} reviews`}</Button>
              ),
            }
          : {})}
        empty={
          state.value === "true" ? (
            <EmptyState title="Nothing needs attention">
              Orphaned, quarantined and other payments that need review appear here.
            </EmptyState>
          ) : (
            <EmptyState title="No resolved reviews" />
          )
        }
      >
        {(rows) => (
          <ul {...live.area} className="divide-y divide-line border-y border-line">
            {(isShort ? rows.slice(0, FIRST) : rows).map((review) => (
              <ReviewItem key={review.id} review={review} onResolve={() => setResolving(review)} {...handlers} />
            ))}
          </ul>
        )}
      </RecordList>
      {resolving !== null && (
        <ResolveDialog
          review={resolving}
          onCancel={close}
          onDone={(review) => {
            live.noteAct();
            // Keep it in place until the list is reloaded, so that no row moves under the pointer.
            reviews.replace((known) => known.id === review.id, review);
            onResolved();
            close();
            focusRecord(`review-${review.id}`);
          }}
          onConflict={() => {
            close();
            onConflict(`review-${resolving.id}`);
          }}
        />
      )}
    </Panel>
  );
}

/** A review with what happened, and what can be done about it. */
export function ReviewItem({ review, onResolve, ...handlers }: ReviewHandlers & { review: Review; onResolve(): void }) {
  const words = reviewWords(review.kind);
  return (
    <li data-record={`review-${review.id}`} tabIndex={-1} className="grid gap-3 py-5">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <h3 className="text-14 font-semibold">{words.title}</h3>
        {review.paymentStatus !== null && <PaymentStatusBadge status={review.paymentStatus} />}
        {review.resolvedAt !== null && <Badge>Resolved</Badge>}
        <span className="text-13 text-ink-3">
          opened <Ago iso={review.openedAt} />
        </span>
      </div>
      <ReviewFacts review={review} />
      <div className="grid max-w-[76ch] gap-1.5 text-14 text-ink-2">
        <p>{words.happened}</p>
        <p className="text-13 text-ink-3">On record: {review.details}</p>
        {review.resolvedAt === null && (
          <p>
            <strong className="font-semibold text-ink">What you can do:</strong> {words.toDo}
          </p>
        )}
      </div>
      {review.resolvedAt === null ? (
        <ReviewActions review={review} onResolve={onResolve} {...handlers} />
      ) : (
        <Resolution review={review} resolvedAt={review.resolvedAt} />
      )}
    </li>
  );
}

function ReviewFacts({ review }: { review: Review }) {
  return (
    <dl className="flex flex-wrap gap-x-8 gap-y-2 text-14 [&_dt]:text-12 [&_dt]:text-ink-3">
      <div>
        <dt>Payment</dt>
        <dd>
          <PaymentLink id={review.paymentId} />
        </dd>
      </div>
      <div>
        <dt>User</dt>
        <dd>{review.userId === null ? "Unknown" : <UserLink id={review.userId} username={review.username} />}</dd>
      </div>
      {review.amount !== null && (
        <div>
          <dt>Amount in question</dt>
          <dd className="font-semibold">{formatDollars(centsOf(review.amount))}</dd>
        </div>
      )}
      {review.actuallyPaid !== null && (
        <div>
          <dt>Received</dt>
          <dd>
            {review.actuallyPaid} {review.payCurrency?.toUpperCase()}
          </dd>
        </div>
      )}
    </dl>
  );
}

function ReviewActions({
  review,
  onResolve,
  onCheck,
  checkingId,
  onConfirm,
}: ReviewHandlers & { review: Review; onResolve(): void }) {
  const { paymentId, userId } = review;
  const { remedy } = reviewWords(review.kind);
  return (
    <div className="flex flex-wrap gap-2">
      <IfPermitted permission="check_payments">
        <Button
          size="small"
          loading={checkingId === paymentId}
          aria-label={`Check Now ${paymentId}`}
          onClick={() => void onCheck(paymentId, "payment")}
        >
          Check Now
        </Button>
      </IfPermitted>
      {offersConfirmation(review) && (
        <IfPermitted permission="confirm_payments">
          <Button
            size="small"
            aria-label={`Confirm by hand ${paymentId}`}
            onClick={() => onConfirm({ id: paymentId, idType: "payment", userId })}
          >
            Confirm by hand
          </Button>
        </IfPermitted>
      )}
      {remedy === "adjust" && userId !== null && (
        <IfPermitted permission="adjust_balances">
          <LinkButton
            size="small"
            to={userAddress(userId)}
            aria-label={`Adjust balance of ${review.username ?? `user ${userId}`}`}
          >
            Adjust balance
          </LinkButton>
        </IfPermitted>
      )}
      <IfPermitted permission="resolve_reviews">
        <Button
          size="small"
          aria-label={`Resolve the review of ${paymentId}`}
          onClick={onResolve}
          className="sm:ml-auto"
        >
          Resolve
        </Button>
      </IfPermitted>
    </div>
  );
}

function Resolution({ review, resolvedAt }: { review: Review; resolvedAt: string }) {
  return (
    <p className="max-w-[76ch] text-14 text-ink-2">
      <strong className="font-semibold text-ink">{review.resolution ?? "Resolved"}</strong>{" "}
      <span className="text-13 text-ink-3">
        {review.resolvedBy === null ? "automatically" : `by ${review.resolvedBy.username}`},{" "}
        <DateTime iso={resolvedAt} className="text-ink-3" />
      </span>
    </p>
  );
}
