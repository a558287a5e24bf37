import { useId } from 'react'
import { classes } from '../classes.ts'
import { Person, type PersonLook } from './Person.tsx'

/** A drawn person under an arch, for places without a portrait of their own. */
export function PersonInArch({
  ground = 'sand',
  className,
  ...look
}: PersonLook & { ground?: 'sand' | 'sage'; className?: string }) {
  const clip = useId()
  return (
    <svg aria-hidden viewBox="0 0 200 220" className={classes('shrink-0', className)}>
      <defs>
        <clipPath id={clip}>
          <path d="M6 220V100a94 94 0 0 1 188 0v120z" />
        </clipPath>
      </defs>
      <path d="M6 220V100a94 94 0 0 1 188 0v120z" fill={`var(--color-drawing-${ground})`} />
      <g clipPath={`url(#${clip})`}>
        <g transform="translate(0 14)">
          <Person {...look} />
        </g>
      </g>
    </svg>
  )
}
