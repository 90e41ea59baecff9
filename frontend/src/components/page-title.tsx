/** Names the page in the browser's tab and to screen readers, for as long as it is rendered. */
export function PageTitle({ title }: { title: string }) {
  return <title>{`${title} · Glasshouse`}</title>;
}
