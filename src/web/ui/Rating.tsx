import type { CSSProperties } from 'react'

export type RatingProps = {
  /** 0 to 5; null while there are no reviews. */
  value: number | null
  /** How many reviews it comes from; left out for a single review. */
  total?: number
  /** One star instead of five, for a line of other facts. */
  isShort?: boolean
}

/** Stars with the number beside them, read as a sentence. */
export function Rating({ value, total, isShort }: RatingProps) {
  if (value === null || total === 0) {
    return <span className={isShort ? undefined : 'text-sm text-soft'}>No reviews yet</span>
  }
  const shown = value.toFixed(1)
  const source = total === undefined ? '' : `, from ${total} ${total === 1 ? 'review' : 'reviews'}`
  if (isShort) {
    return (
      <>
        <span className="sr-only">{`Rated ${shown} out of 5${source}`}</span>
        <span aria-hidden className="starred">
          {total === undefined ? shown : `${shown} (${total})`}
        </span>
      </>
    )
  }
  return (
    <span className="inline-flex items-center gap-1.5 text-sm">
      <span className="sr-only">{`Rated ${shown} out of 5${source}`}</span>
      <span
        aria-hidden
        className="stars text-ember"
        style={{ '--part': `${(Math.min(5, value) / 5) * 100}%` } as CSSProperties}
      />
      <span aria-hidden className="font-semibold tabular-nums">
        {shown}
      </span>
      {total !== undefined && <span aria-hidden className="text-soft tabular-nums">{`(${total})`}</span>}
    </span>
  )
}
