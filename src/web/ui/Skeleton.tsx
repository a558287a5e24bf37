import type { ReactNode } from 'react'
import { classes } from './classes.ts'

/** A place where something will stand; give it the size of that by `className`. */
export function Skeleton({ className }: { className?: string }) {
  return (
    <span
      aria-hidden
      className={classes(
        'block max-w-full animate-breathe rounded-md border border-transparent bg-line',
        className,
      )}
    />
  )
}

/** Says once to a screen reader what is being loaded. Around skeletons, or with the classes of a single one. */
export function Loading({
  label,
  skeleton,
  children,
  className,
}: {
  label: string
  skeleton?: string
  children?: ReactNode
  className?: string
}) {
  return (
    <output className={classes('block', className)}>
      <span className="sr-only">{label}</span>
      {skeleton ? <Skeleton className={skeleton} /> : children}
    </output>
  )
}
