import { Check, Copy } from "lucide-react";
import { useState } from "react";
import { IconButton } from "./button";
import { toast } from "./toast-store";

/** Copies a text, or says that the browser does not allow it. */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const [isCopied, setCopied] = useState(false);
  async function copy() {
    try {
      await navigator.clipboard.writeText(text);
      setCopied(true);
    } catch {
      toast({
        title: "Error",
        description: "Your browser did not allow copying. Select the text instead.",
        variant: "destructive",
      });
    }
  }
  const icon = isCopied ? <Check className="size-4 text-info" /> : <Copy className="size-4" />;
  return <IconButton label={isCopied ? `${label}: copied` : label} icon={icon} onClick={() => void copy()} />;
}
