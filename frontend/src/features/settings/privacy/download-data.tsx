import { useState } from "react";
import { errorCode, errorMessage } from "@/api/client";
import { Button, LinkButton, Panel, toast } from "@/components";
import { PasswordField } from "@/components/password-field";
import { saveFile } from "@/lib/save-file";
import { useSingleSubmit } from "@/lib/use-single-submit";
import { downloadData } from "./api";

/** Downloads everything that the house has stored about the player. */
export function DownloadData() {
  const [password, setPassword] = useState("");
  const [error, setError] = useState<string>();
  const [isShown, setShown] = useState(false);
  const [isLoading, setLoading] = useState(false);
  async function download() {
    if (password === "") {
      setError("Please enter your password");
      return;
    }
    setError(undefined);
    setLoading(true);
    try {
      saveFile("glasshouse-data.zip", "application/zip", await downloadData(password));
      setPassword("");
      toast({ title: "Data Downloaded", description: "The file README.txt in the archive explains the others." });
    } catch (failure) {
      if (errorCode(failure) === "invalid_credentials") {
        setPassword("");
        setError("Incorrect password. Please try again.");
      } else {
        const description = errorMessage(failure, "Something went wrong");
        toast({ title: "Data Not Downloaded", description, variant: "destructive" });
      }
    } finally {
      setLoading(false);
    }
  }
  const onSubmit = useSingleSubmit(download);
  return (
    <Panel title="Your data">
      <form onSubmit={onSubmit} noValidate className="grid max-w-[72ch] gap-4">
        <p className="text-pretty text-14 text-ink-2">
          Download everything that is stored about you: your profile, sessions and security events, e-mail and
          withdrawal addresses, every movement of your money, every round with its seeds, and your limits. The archive
          contains a README.txt that explains each file.
        </p>
        <div className="max-w-[420px]">
          <PasswordField
            label="Password to download your data"
            error={error}
            isShown={isShown}
            onToggle={() => setShown(!isShown)}
            toggleLabel="Show password to download your data"
            value={password}
            onChange={(event) => setPassword(event.target.value)}
            autoComplete="current-password"
          />
        </div>
        <div className="flex flex-wrap items-center gap-3">
          <Button type="submit" variant="primary" loading={isLoading}>
            Download your data
          </Button>
          <LinkButton to="/statistics">Downloads in Statistics</LinkButton>
        </div>
      </form>
    </Panel>
  );
}
