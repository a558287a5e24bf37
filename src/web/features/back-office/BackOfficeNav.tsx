import { useQueries } from '@tanstack/react-query'
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

const totalOf = ({ total }: { total: number }) => total
const totalOfPage = ({ meta }: { meta: { total: number } }) => meta.total
/** Others decide as well, and people go on reporting while a page stays open. */
const everyMinute = { staleTime: 60_000, refetchInterval: 60_000 }

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

/** The pages, each with the number of tasks on it, by the queries that the pages themselves show: a decision changes both. */
function useLinks(): { to: string; label: string; waiting?: number }[] {
  const [queue, lapses, incidents, lateReturns, noShows, absences, videos, reports, chatReports] = useQueries(
    {
      queries: [
        { ...queueQuery({ show: 'waiting', search: '', page: 1 }), ...everyMinute, select: totalOfPage },
        { ...lapsesQuery(), ...everyMinute, select: totalOf },
        { ...incidentsQuery(), ...everyMinute, select: totalOf },
        { ...lateReturnsQuery(), ...everyMinute, select: totalOf },
        { ...noShowsQuery('open', 1), ...everyMinute, select: totalOfPage },
        { ...absencesQuery(), ...everyMinute, select: totalOf },
        { ...videoOrdersQuery('open', 1), ...everyMinute, select: totalOfPage },
        { ...reportsQuery('open', 1), ...everyMinute, select: totalOfPage },
        { ...chatReportsQuery('open', 1), ...everyMinute, select: totalOfPage },
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
