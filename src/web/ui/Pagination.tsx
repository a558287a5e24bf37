import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Link, type To } from 'react-router'

export type PaginationProps = {
  /** From 1. */
  page: number
  pageCount: number
  hrefFor(page: number): To
  label?: string
}

/** Links to the pages of a list: first, last, and those around the current one. */
export function Pagination({ page, pageCount, hrefFor, label = 'Pages' }: PaginationProps) {
  if (pageCount <= 1) return null
  return (
    <nav aria-label={label}>
      <ul className="flex flex-wrap items-center justify-center gap-1">
        <PageLink to={page > 1 ? hrefFor(page - 1) : undefined} label="Previous page" rel="prev">
          <IconChevronLeft aria-hidden size={20} />
        </PageLink>
        {pagesAround(page, pageCount).map((shown) =>
          shown < 0 ? (
            <li key={shown} aria-hidden className="grid min-w-6 place-items-center text-soft">
              …
            </li>
          ) : (
            <PageLink
              key={shown}
              to={hrefFor(shown)}
              label={`Page ${shown}`}
              isCurrent={shown === page}
              isSpare={shown !== page && shown !== 1 && shown !== pageCount}
            >
              {shown}
            </PageLink>
          ),
        )}
        <PageLink to={page < pageCount ? hrefFor(page + 1) : undefined} label="Next page" rel="next">
          <IconChevronRight aria-hidden size={20} />
        </PageLink>
      </ul>
    </nav>
  )
}

type PageLinkProps = {
  to: To | undefined
  label: string
  children: ReactNode
  isCurrent?: boolean
  isSpare?: boolean
  rel?: string
}

function PageLink({ to, label, children, isCurrent, isSpare, rel }: PageLinkProps) {
  if (to === undefined) {
    return (
      <li aria-hidden className="page-link text-faint opacity-50">
        {children}
      </li>
    )
  }
  return (
    <li className={isSpare ? 'max-sm:hidden' : undefined}>
      <Link
        to={to}
        rel={rel}
        aria-label={label}
        aria-current={isCurrent ? 'page' : undefined}
        className="page-link"
      >
        {children}
      </Link>
    </li>
  )
}

/** Page numbers to show; a negative number is a gap. */
function pagesAround(page: number, pageCount: number): number[] {
  const shown = [...new Set([1, page - 1, page, page + 1, pageCount])].filter(
    (at) => at >= 1 && at <= pageCount,
  )
  return shown.flatMap((at, index) => {
    const before = shown[index - 1]
    if (before === undefined || at - before === 1) return [at]
    return at - before === 2 ? [at - 1, at] : [-at, at]
  })
}
