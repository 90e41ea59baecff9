import type { FieldPath, FieldValues, UseFormSetError } from "react-hook-form";
import { toast } from "@/components";

type Problem<F extends FieldValues> = { field: FieldPath<F> | undefined; title: string; text: string };

/** Shows a toast, and marks and focuses the field that the problem is about. */
export function reportProblem<F extends FieldValues>(
  setError: UseFormSetError<F>,
  { field, title, text }: Problem<F>,
): void {
  if (field !== undefined) setError(field, { message: text }, { shouldFocus: true });
  toast({ title, description: text, variant: "destructive" });
}
