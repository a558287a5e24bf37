import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Link, type To } from 'react-router'
import { classes } from './classes.ts'

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
            <Gap key={shown} />
          ) : (
            <PageLink
              key={shown}
              to={hrefFor(shown)}
              label={`Page ${shown}`}
              isCurrent={shown === page}
              isSpare={shown !== page && shown !== 1 && shown !== pageCount}
              hasGap={shown < page ? shown === 2 : shown > page && shown === pageCount - 1}
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
  /** A phone has no room for it. */
  isSpare?: boolean
  /** Whether a phone has a gap in its place, and in that of its spare neighbours: no other gap stands there. */
  hasGap?: boolean
  rel?: string
}

function PageLink({ to, label, children, isCurrent, isSpare = false, hasGap, rel }: PageLinkProps) {
  if (to === undefined) {
    return (
      <li aria-hidden className="page-link text-faint opacity-50">
        {children}
      </li>
    )
  }
  return (
    <>
      {isSpare && hasGap && <Gap className="sm:hidden" />}
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
    </>
  )
}

function Gap({ className }: { className?: string }) {
  return (
    <li aria-hidden className={classes('grid min-w-6 place-items-center text-soft', className)}>
      …
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
