/** A cut gem: the content of a safe cell. */
export function Gem({ className }: { className?: string }) {
  return (
    <svg aria-hidden viewBox="0 0 32 32" className={className}>
      <path d="M9 6h14l6 8-13 13L3 14z" className="fill-info/20" />
      <path d="M9 6 3 14h8z" className="fill-info/45" />
      <path d="M9 6h14l-2 8H11z" className="fill-info/85" />
      <path d="m23 6 6 8h-8z" className="fill-info/60" />
      <path d="M11 14h10l-5 13z" className="fill-info/60" />
      <path d="M3 14h8l5 13z" className="fill-info/30" />
      <path d="M9 6h14l6 8-13 13L3 14z" className="fill-none stroke-info [stroke-linejoin:round] [stroke-width:1.25]" />
      <path d="M12.5 8h4" className="stroke-ink [stroke-linecap:round] [stroke-width:1.5]" />
    </svg>
  );
}

/** A mine. The one that was hit is red and burst. */
export function Mine({ isHit = false, className }: { isHit?: boolean; className?: string }) {
  return (
    <svg aria-hidden viewBox="0 0 32 32" className={className}>
      {isHit && (
        <path
          d="m16 0 3.6 6.4 6.6-3.2-1 7.2 6.8 2.8-4.8 5.2 3.2 6.4-7.2.4-1.2 6.8-6-4-6 4-1.2-6.8-7.2-.4 3.2-6.4L0 13.2l6.8-2.8-1-7.2 6.6 3.2z"
          className="fill-loss"
        />
      )}
      {!isHit && (
        <path
          d="M16 5v22M5 16h22M8.2 8.2l15.6 15.6M23.8 8.2 8.2 23.8"
          className="stroke-ink-3 [stroke-linecap:round] [stroke-width:2.5]"
        />
      )}
      <circle cx="16" cy="16" r="7.5" className={isHit ? "fill-well" : "fill-ink-3"} />
      <circle cx="13.4" cy="13.4" r="1.8" className={isHit ? "fill-ink" : "fill-well"} />
    </svg>
  );
}
