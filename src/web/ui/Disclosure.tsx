import { IconChevronDown } from '@tabler/icons-react'
import type { ReactNode } from 'react'

export type DisclosureProps = {
  title: ReactNode
  children: ReactNode
  defaultOpen?: boolean
  /** Lets a link point to it; the browser opens it when a search on the page finds it. */
  id?: string
  /** Of the heading, in the order of the page; none when it is not a section. */
  level?: 2 | 3 | 4
}

/** A part that opens and closes. The browser's own, so it opens without JavaScript. */
export function Disclosure({ title, children, defaultOpen, id, level }: DisclosureProps) {
  const Title = level ? (`h${level}` as const) : 'span'
  return (
    <details id={id} open={defaultOpen} className="group border-b border-line">
      <summary className="flex min-h-14 list-none items-center justify-between gap-4 rounded-sm py-3 hover:text-action">
        <Title className="font-sans text-base font-semibold tracking-normal">{title}</Title>
        <IconChevronDown
          aria-hidden
          size={22}
          className="shrink-0 text-soft transition-transform group-open:rotate-180"
        />
      </summary>
      <div className="pb-5 text-soft">{children}</div>
    </details>
  )
}
