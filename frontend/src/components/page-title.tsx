/** Sets the document title while it is rendered. */
export function PageTitle({ title }: { title: string }) {
  return <title>{`${title} · Glasshouse`}</title>;
}
