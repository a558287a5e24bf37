import type { ReactNode } from 'react'

type Props = { viewBox?: string; className: string | undefined; children: ReactNode }

/** The sheet of a drawing and its pen: a round line, and no colour where none is named. */
export function Scene({ viewBox = '0 0 160 120', className, children }: Props) {
  return (
    <svg
      aria-hidden
      viewBox={viewBox}
      className={className}
      fill="none"
      stroke="var(--color-drawing-line)"
      strokeWidth="2.5"
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      {children}
    </svg>
  )
}
