import { type FormEvent, useRef, useState } from "react";
import { ApiError, errorMessage } from "@/api/client";
import { StepUpCancelled } from "@/api/step-up";
import { type OwnAddressBook, removeAddress, renameAddress, type WithdrawalAddress } from "@/api/withdrawal-addresses";
import {
  Badge,
  Button,
  ConfirmDialog,
  Dialog,
  EmptyState,
  ErrorState,
  Field,
  Input,
  Panel,
  Skeleton,
  toast,
} from "@/components";
import { currencyLabel } from "@/lib/currencies";
import { counted, formatDateTime } from "@/lib/format";
import { useNow } from "@/lib/use-now";
import { AddAddress } from "./add-address";

export type AddressBookPanelProps = { addressBook: OwnAddressBook; username: string; onAdded(): void };

/** The addresses that the player's withdrawals go to. */
export function AddressBookPanel({ addressBook, username, onAdded }: AddressBookPanelProps) {
  const { book, hasFailed, reload } = addressBook;
  const [isAdding, setAdding] = useState(false);
  const heading = useRef<HTMLDivElement>(null);
  if (book === undefined) {
    return (
      <Panel title="Withdrawal addresses">
        {hasFailed ? (
          <ErrorState title="Your addresses could not be loaded" onRetry={() => void reload()} />
        ) : (
          <Skeleton className="h-[120px]" />
        )}
      </Panel>
    );
  }
  const isFull = book.addresses.length >= book.maximum;
  /** The row that was changed may be gone: keyboard users would start over at the top of the page. */
  async function reloadAndFocus() {
    await reload();
    heading.current?.focus({ preventScroll: true });
  }
  return (
    <Panel
      title="Withdrawal addresses"
      actions={
        <Button size="small" disabled={isFull} onClick={() => setAdding(true)}>
          Add address
        </Button>
      }
    >
      <div ref={heading} tabIndex={-1} className="grid gap-4 outline-none">
        <p className="text-pretty text-13 text-ink-3">
          {book.delayHours > 0
            ? `Withdrawals to an address can be approved ${counted(book.delayHours, "hour")} after you added it or first used it, so that you notice if somebody else did. `
            : ""}
          {isFull
            ? `Your address book is full: it has ${book.maximum} addresses.`
            : "Addresses that you use are added by themselves."}
        </p>
        {book.addresses.length === 0 ? (
          <EmptyState title="No addresses yet">Add the addresses of your own wallets.</EmptyState>
        ) : (
          <ul aria-label="Withdrawal addresses" className="divide-y divide-line">
            {book.addresses.map((address) => (
              <AddressRow key={address.id} address={address} onChanged={() => void reloadAndFocus()} />
            ))}
          </ul>
        )}
      </div>
      {isAdding && (
        <AddAddress
          username={username}
          delayHours={book.delayHours}
          onClose={() => setAdding(false)}
          onAdded={() => {
            setAdding(false);
            void reload();
            onAdded();
          }}
        />
      )}
    </Panel>
  );
}

/** An address that was removed elsewhere in the meantime need not be removed. */
async function removeUnlessGone(id: number): Promise<void> {
  try {
    await removeAddress(id);
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 404) throw error;
  }
}

function AddressRow({ address, onChanged }: { address: WithdrawalAddress; onChanged(): void }) {
  const { id, label, currency, walletAddress, usableFrom } = address;
  const [open, setOpen] = useState<"rename" | "remove" | null>(null);
  const isNew = Date.parse(usableFrom) > useNow();
  const name = label ?? walletAddress;
  async function run(call: () => Promise<unknown>, title: string) {
    setOpen(null);
    try {
      await call();
      toast({ title, description: name });
      onChanged();
    } catch (error) {
      if (error instanceof StepUpCancelled) return;
      toast({ title: "Error", description: errorMessage(error, "Something went wrong"), variant: "destructive" });
    }
  }
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-3 first:pt-0 last:pb-0">
      <div className="grid min-w-0 flex-1 basis-[240px] gap-0.5">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-14 font-medium">
          {label ?? currencyLabel(currency)}
          {label !== null && <span className="font-normal text-ink-2">{currencyLabel(currency)}</span>}
          {isNew && <Badge tone="notice">New</Badge>}
        </p>
        <p className="text-13 text-ink-2 [overflow-wrap:anywhere]">{walletAddress}</p>
        {isNew && (
          <p className="text-13 text-ink-3">Withdrawals to it can be approved from {formatDateTime(usableFrom)}</p>
        )}
      </div>
      <div className="flex gap-2">
        <Button size="small" onClick={() => setOpen("rename")} aria-label={`Rename ${name}`}>
          Rename
        </Button>
        <Button size="small" onClick={() => setOpen("remove")} aria-label={`Remove ${name}`}>
          Remove
        </Button>
      </div>
      {open === "rename" && (
        <RenameDialog
          label={label ?? ""}
          onClose={() => setOpen(null)}
          onRename={(text) => void run(() => renameAddress(id, text), "Address Renamed")}
        />
      )}
      <ConfirmDialog
        open={open === "remove"}
        onOpenChange={() => setOpen(null)}
        title="Remove this address?"
        description="If you use it again, it is new, and withdrawals to it are delayed."
        confirmLabel="Remove"
        onConfirm={() => void run(() => removeUnlessGone(id), "Address Removed")}
      />
    </li>
  );
}

type RenameDialogProps = { label: string; onClose(): void; onRename(label: string): void };

function RenameDialog({ label, onClose, onRename }: RenameDialogProps) {
  const input = useRef<HTMLInputElement>(null);
  function submit(event: FormEvent) {
    event.preventDefault();
    onRename(input.current?.value ?? "");
  }
  return (
    <Dialog
      open
      onOpenChange={onClose}
      initialFocus={input}
      title="Rename address"
      footer={
        <Button type="submit" form="rename-address" variant="primary">
          Rename
        </Button>
      }
    >
      <form id="rename-address" onSubmit={submit}>
        <Field label="Label" hint="At most 50 characters. Leave it empty for none.">
          {(ids) => <Input {...ids} ref={input} defaultValue={label} maxLength={50} autoComplete="off" />}
        </Field>
      </form>
    </Dialog>
  );
}
