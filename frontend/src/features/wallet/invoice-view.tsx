import { ExternalLink } from "lucide-react";
import type { RefObject } from "react";
import { Badge, Button, CopyButton } from "@/components";
import { QrCode } from "@/components/qr-code";
import type { DepositStatus, OpenDeposit } from "./api/wallet";
import { type DepositStage, isFinal, stageTexts } from "./deposit-stages";
import { NETWORKS } from "./networks";

type InvoiceViewProps = {
  deposit: OpenDeposit;
  stage: DepositStage;
  status: DepositStatus | null;
  payLink: RefObject<HTMLAnchorElement | null>;
};

/** How to pay an invoice, and the status of its payment. */
export function InvoiceView({ deposit, stage, status, payLink }: InvoiceViewProps) {
  const canBePaid = stage === "pending" || stage === "partially_paid";
  return (
    <div className="grid grid-cols-1 gap-5">
      <PaymentProgress {...stageTexts(stage, status)} isUnderReview={status?.isUnderReview ?? deposit.isUnderReview} />
      {!isFinal(stage) && (
        <Button asChild variant={canBePaid ? "primary" : "secondary"} size="large">
          <a ref={payLink} href={deposit.invoiceUrl} target="_blank" rel="noopener">
            Open Payment Page
            <ExternalLink aria-hidden className="size-4" />
            <span className="sr-only">(opens in a new tab)</span>
          </a>
        </Button>
      )}
      {canBePaid && <PaymentLink url={deposit.invoiceUrl} network={NETWORKS[deposit.currency]} />}
    </div>
  );
}

type StatusProps = ReturnType<typeof stageTexts> & { isUnderReview: boolean };

function PaymentProgress({ badge, tone, text, isUnderReview }: StatusProps) {
  return (
    <div role="status" className="grid gap-2 rounded-control bg-well p-4 text-14">
      <p className="flex items-center gap-2 text-13 text-ink-3">
        Status
        <Badge tone={tone}>{badge}</Badge>
      </p>
      <p>{text}</p>
      {isUnderReview && (
        <p className="text-ink-2">
          This payment does not match the invoice exactly, so our team is reviewing it. You do not have to wait here.
        </p>
      )}
    </div>
  );
}

function PaymentLink({ url, network }: { url: string; network: string | undefined }) {
  return (
    <div className="flex flex-wrap items-center gap-4">
      <QrCode text={url} label="QR code of the payment page" className="size-[144px] shrink-0" />
      <div className="grid min-w-[180px] flex-1 basis-0 grid-cols-1 gap-2">
        <p className="text-13 text-ink-2">Scan the code to pay from another device, or copy the link.</p>
        <div className="flex items-center gap-1 rounded-control bg-well pl-3">
          <span className="min-w-0 flex-1 truncate text-13 text-ink-2">{url}</span>
          <CopyButton text={url} label="Copy the payment link" />
        </div>
        <p className="text-13 text-ink-3">
          {network !== undefined && `Send USDT on the ${network} network only. `}
          Blockchain confirmation is expected in 5-10 minutes.
        </p>
      </div>
    </div>
  );
}
