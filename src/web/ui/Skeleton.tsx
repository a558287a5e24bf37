import type { ReactNode } from 'react'
import { classes } from './classes.ts'

/** A place where something will stand; give it the size of that by `className`. */
export function Skeleton({ className }: { className?: string }) {
  return (
    <span
      aria-hidden
      className={classes('block animate-breathe rounded-md border border-transparent bg-line', className)}
    />
  )
}

/** Around skeletons: says once to a screen reader what is being loaded. */
export function Loading({
  label,
  children,
  className,
}: {
  label: string
  children: ReactNode
  className?: string
}) {
  return (
    <output className={classes('block', className)}>
      <span className="sr-only">{label}</span>
      {children}
    </output>
  )
}
