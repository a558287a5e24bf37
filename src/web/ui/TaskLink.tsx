import { IconChevronRight } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'

/** One thing that waits for the reader, in a list of them: a row that leads to where it is done. */
export function TaskLink({
  to,
  icon,
  children,
  note,
}: {
  to: string
  icon: ReactNode
  children: ReactNode
  /** Below, smaller. */
  note?: ReactNode
}) {
  return (
    <li>
      <Link
        to={to}
        className="flex min-h-14 items-center gap-3.5 rounded-lg border border-line bg-surface px-4 py-3 text-ink no-underline transition-colors hover:bg-raised"
      >
        <span className="shrink-0 text-action">{icon}</span>
        <span className="min-w-0 grow">
          <span className="block font-semibold">{children}</span>
          {note && <span className="block text-sm text-soft">{note}</span>}
        </span>
        <IconChevronRight aria-hidden size={20} className="shrink-0 text-soft" />
      </Link>
    </li>
  )
}
