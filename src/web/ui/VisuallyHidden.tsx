import type { ReactNode } from 'react'

/** For screen readers alone. */
export function VisuallyHidden({ children }: { children: ReactNode }) {
  return <span className="sr-only">{children}</span>
}
