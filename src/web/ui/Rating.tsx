const star = 'M10 1.6l2.5 5.3 5.8.8-4.2 4 1 5.8L10 14.7l-5.1 2.8 1-5.8-4.2-4 5.8-.8z'

export type RatingProps = {
  /** 0 to 5; null while there are no reviews. */
  value: number | null
  /** How many reviews it comes from; left out for a single review. */
  total?: number
}

/** Stars with the number beside them, read as a sentence. */
export function Rating({ value, total }: RatingProps) {
  if (value === null || total === 0) return <span className="text-sm text-soft">No reviews yet</span>
  const shown = value.toFixed(1)
  return (
    <span className="inline-flex items-center gap-1.5 text-sm">
      <span className="sr-only">
        Rated {shown} out of 5{total !== undefined && `, from ${total} ${total === 1 ? 'review' : 'reviews'}`}
      </span>
      <Stars value={value} />
      <span aria-hidden className="font-semibold tabular-nums">
        {shown}
      </span>
      {total !== undefined && (
        <span aria-hidden className="text-soft tabular-nums">
          ({total})
        </span>
      )}
    </span>
  )
}

function Stars({ value }: { value: number }) {
  return (
    <span aria-hidden className="relative inline-flex text-ember">
      <StarRow className="opacity-25" />
      <span
        className="absolute inset-0 overflow-hidden"
        style={{ width: `${(Math.min(5, value) / 5) * 100}%` }}
      >
        <StarRow />
      </span>
    </span>
  )
}

function StarRow({ className }: { className?: string }) {
  return (
    <svg
      width="90"
      height="18"
      viewBox="0 0 100 20"
      fill="currentColor"
      className={`max-w-none ${className ?? ''}`}
    >
      {[0, 20, 40, 60, 80].map((x) => (
        <path key={x} d={star} transform={`translate(${x} 0)`} />
      ))}
    </svg>
  )
}
