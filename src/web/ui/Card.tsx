import type { ReactNode } from 'react'
import { classes } from './classes.ts'

export type CardProps = {
  children: ReactNode
  as?: 'div' | 'article' | 'section' | 'li'
  /** Layout, and padding where the usual does not fit. */
  className?: string
  'aria-labelledby'?: string
}

/** A sheet of paper on the page. */
export function Card({ as: Element = 'div', children, className, ...rest }: CardProps) {
  return (
    <Element
      {...rest}
      className={classes(
        'rounded-xl border border-line bg-surface p-[min(1.25rem,6vw)] shadow-low sm:p-7',
        className,
      )}
    >
      {children}
    </Element>
  )
}
