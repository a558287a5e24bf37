import { type ReactNode, useEffect, useRef } from 'react'
import { classes } from './classes.ts'

type LiveRegionProps = {
  /** Takes the focus whenever this changes to something: the button that was pressed has left with its words. */
  focusOn?: unknown
  children: ReactNode
  /** Layout only. */
  className?: string
}

/** Where the outcome of an action appears. There from the start, so that a screen reader hears what comes into it. */
export function LiveRegion({ focusOn, children, className }: LiveRegionProps) {
  const region = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (focusOn !== undefined) region.current?.focus()
  }, [focusOn])
  return (
    <div ref={region} tabIndex={-1} aria-live="polite" className={classes('empty:sr-only', className)}>
      {children}
    </div>
  )
}
