import { formatPence } from '#contract/money.ts'
import { classes } from './classes.ts'

/** An amount in pence, as £52.50 or £60, in figures of one width. */
export function Price({ pence, className }: { pence: number; className?: string }) {
  return <span className={classes('tabular-nums', className)}>{formatPence(pence)}</span>
}

type RangeProps = { min: number; max: number }

/** A fee, or from the least to the most where they differ. In pence. */
export function PriceRange({ className, ...range }: RangeProps & { className?: string }) {
  return (
    <span className={classes('tabular-nums', className)}>
      <PriceWords {...range} />
    </span>
  )
}

/** The same without an element of its own. */
export function PriceWords({ min, max }: RangeProps) {
  if (min === max) return formatPence(min)
  return (
    <>
      {formatPence(min)}
      <span aria-hidden> – </span>
      <span className="sr-only"> to </span>
      {formatPence(max)}
    </>
  )
}
