import { Button, Dialog } from "@/components";

type NoticeProps = { open: boolean; onOpenChange(open: boolean): void; onAcknowledge(): void };

/** Asks visitors to confirm that they are not in the United States. */
export default function Notice({ open, onOpenChange, onAcknowledge }: NoticeProps) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="US User Notification"
      description="Glasshouse is not supported in the United States. Please acknowledge that you are not based in the US before you continue."
      footer={
        <Button variant="primary" onClick={onAcknowledge}>
          I understand, I am not based in the US
        </Button>
      }
    />
  );
}
