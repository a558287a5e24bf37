import type { ReactNode } from 'react'

/** What appears because of a press on a button that stays in sight must come into sight as well. */
export function InView({ children }: { children: ReactNode }) {
  return (
    <div ref={comeIntoView} className="scroll-my-4">
      {children}
    </div>
  )
}

function comeIntoView(element: HTMLElement | null): void {
  element?.scrollIntoView({ block: 'nearest' })
}
