/** Shown to everyone but administrators. */
export function AccessDenied() {
  return (
    <div role="alert" className="grid gap-1">
      <h1 className="text-28 font-bold" tabIndex={-1}>
        Access Denied
      </h1>
      <span className="sr-only"> - </span>
      <p className="max-w-[60ch] text-14 text-ink-2">
        You do not have permission to access the admin panel. This area is restricted to administrators only.
      </p>
    </div>
  );
}
