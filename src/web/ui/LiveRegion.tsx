import { type ReactNode, useEffect, useRef } from 'react'
import { Alert } from './Alert.tsx'
import { classes } from './classes.ts'

type LiveRegionProps = {
  /** Takes the focus whenever this changes to something: the button that was pressed has left with its words. */
  focusOn?: unknown
  children: ReactNode
  /** Layout only. */
  className?: string
}

/** What is shown once something has been done. */
export type SuccessWords = { title: string; text: string }

type SuccessProps = Pick<LiveRegionProps, 'className'> & {
  success: SuccessWords | undefined
  /** What stands there until something has been done. */
  children?: ReactNode
}

/** Says what has been done, and takes the focus for it. */
export function SuccessRegion({ success, children, className }: SuccessProps) {
  return (
    <LiveRegion focusOn={success} className={className}>
      {success ? (
        <Alert tone="success" title={success.title}>
          {success.text}
        </Alert>
      ) : (
        children
      )}
    </LiveRegion>
  )
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
