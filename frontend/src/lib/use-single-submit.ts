import { type FormEvent, useRef } from "react";

/** A form's `onSubmit` that ignores further submits while one is in progress, as on a double click. */
export function useSingleSubmit(submit: (event: FormEvent) => Promise<void>) {
  const isBusy = useRef(false);
  return (event: FormEvent) => {
    event.preventDefault();
    if (isBusy.current) return;
    isBusy.current = true;
    void submit(event).finally(() => {
      isBusy.current = false;
    });
  };
}
