import { formatPence } from '../lib/money.ts'
import { classes } from './classes.ts'

/** An amount in pence, as £52.50 or £60, in figures of one width. */
export function Price({ pence, className }: { pence: number; className?: string }) {
  return <span className={classes('tabular-nums', className)}>{formatPence(pence)}</span>
}

/** A fee, or from the least to the most where they differ. In pence. */
export function PriceRange({ min, max, className }: { min: number; max: number; className?: string }) {
  if (min === max) return <Price pence={min} className={className} />
  return (
    <span className={classes('tabular-nums', className)}>
      {formatPence(min)}
      <span aria-hidden> – </span>
      <span className="sr-only"> to </span>
      {formatPence(max)}
    </span>
  )
}
