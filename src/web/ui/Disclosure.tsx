import type { ReactNode } from 'react'

export type DisclosureProps = {
  title: ReactNode
  children: ReactNode
  defaultOpen?: boolean
  /** Lets a link point to it; the browser opens it when a search on the page finds it. */
  id?: string
  /** Of the heading, in the order of the page; none when it is not a section. */
  level?: 2 | 3 | 4
  onOpen?(): void
}

/** A part that opens and closes. The browser's own, so it opens without JavaScript. */
export function Disclosure({ title, children, defaultOpen, id, level, onOpen }: DisclosureProps) {
  const Title = level ? (`h${level}` as const) : 'span'
  return (
    <details
      id={id}
      open={defaultOpen}
      className="disclosure"
      onToggle={onOpen && ((event) => event.currentTarget.open && onOpen())}
    >
      <summary>
        <Title>{title}</Title>
      </summary>
      <div className="pb-5 text-soft">{children}</div>
    </details>
  )
}
