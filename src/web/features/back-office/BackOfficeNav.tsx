import { useQueries, type UseQueryOptions } from '@tanstack/react-query'
import { NavLink } from 'react-router'
import { classes } from '#web/ui/classes.ts'
import { Count } from '#web/ui/Count.tsx'
import {
  absencesQuery,
  chatReportsQuery,
  incidentsQuery,
  lapsesQuery,
  lateReturnsQuery,
  noShowsQuery,
  queueQuery,
  reportsQuery,
  videoOrdersQuery,
} from './admin-queries.ts'
import { waitsForOffice } from './admin-labels.ts'

/**
 * A query of a page as the navigation asks it, with the number of tasks. Others decide as well, and people go on reporting:
 * it is asked every minute, apart from what the page shows, whose rows would move under a press. A decision changes both.
 */
function counted<Data>(
  { queryKey, queryFn }: UseQueryOptions<Data>,
  select: (data: Data) => number,
): UseQueryOptions<Data, Error, number> {
  return {
    queryKey: [...queryKey, 'counted'],
    ...(queryFn && { queryFn }),
    select,
    staleTime: 60_000,
    refetchInterval: 60_000,
  }
}

const totalOf = ({ total }: { total: number }) => total
const totalOfPage = ({ meta }: { meta: { total: number } }) => meta.total

/** Where one can go in the back office, and how much waits there. */
export function BackOfficeNav() {
  const links = useLinks()
  return (
    <nav aria-label="Back office" className="border-b border-line bg-surface">
      <ul className="page flex flex-wrap gap-x-6">
        {links.map(({ to, label, waiting = 0 }) => (
          <li key={to}>
            <NavLink
              to={to}
              end={to === '/admin'}
              className={({ isActive }) =>
                classes(
                  'inline-flex min-h-12 items-center gap-2 border-b-2 text-ink no-underline hover:underline',
                  isActive ? 'border-action font-semibold' : 'border-transparent',
                )
              }
            >
              {label}
              {waiting > 0 && <Count value={waiting} of="waiting" />}
            </NavLink>
          </li>
        ))}
      </ul>
    </nav>
  )
}

/** The pages, each with the number of tasks on it. */
function useLinks(): { to: string; label: string; waiting?: number }[] {
  const [queue, lapses, incidents, lateReturns, noShows, absences, videos, reports, chatReports] = useQueries(
    {
      queries: [
        counted(queueQuery({ show: 'waiting', search: '', page: 1 }), totalOfPage),
        // One whose newer document waits is in the queue.
        counted(lapsesQuery(), ({ total, data }) => total - data.filter((each) => each.is_waiting).length),
        counted(incidentsQuery(), totalOf),
        counted(lateReturnsQuery(), totalOf),
        counted(noShowsQuery('open', 1), totalOfPage),
        counted(absencesQuery(), totalOf),
        counted(videoOrdersQuery('open', 1), ({ data }) => data.filter(waitsForOffice).length),
        counted(reportsQuery('open', 1), totalOfPage),
        counted(chatReportsQuery('open', 1), totalOfPage),
      ],
    },
  )
  const sum = (...parts: { data: number | undefined }[]) =>
    parts.reduce((total, { data = 0 }) => total + data, 0)
  return [
    { to: '/admin', label: 'Vetting', waiting: sum(queue, lapses) },
    { to: '/admin/payments', label: 'Payments', waiting: sum(incidents, lateReturns) },
    { to: '/admin/payouts', label: 'Payouts' },
    { to: '/admin/no-shows', label: 'No-shows', waiting: sum(noShows, absences) },
    { to: '/admin/videos', label: 'Videos', waiting: sum(videos) },
    { to: '/admin/reports', label: 'Reports', waiting: sum(reports, chatReports) },
    { to: '/admin/audit', label: 'Audit log' },
    { to: '/admin/second-factor', label: 'Second factor' },
  ]
}
