import type { ReactNode } from 'react'

export type EmptyStateProps = {
  title: ReactNode
  /** What it means, and what to do. */
  children?: ReactNode
  actions?: ReactNode
  illustration?: ReactNode
  /** Of the title, in the order of the page. */
  level?: 1 | 2 | 3
}

/** A list with nothing in it. */
export function EmptyState({ title, children, actions, illustration, level = 2 }: EmptyStateProps) {
  const Title = `h${level}` as const
  return (
    <div className="empty-state">
      {illustration && <div className="empty-scene">{illustration}</div>}
      <Title className="text-2xl">{title}</Title>
      {children && <div className="text-soft">{children}</div>}
      {actions && <div className="mt-3 flex flex-wrap justify-center gap-3">{actions}</div>}
    </div>
  )
}
