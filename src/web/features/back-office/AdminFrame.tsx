import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { NavLink } from 'react-router'
import { classes } from '#web/ui/classes.ts'
import { PageHeading } from '#web/ui/PageHeading.tsx'
import { Loading, Skeleton } from '#web/ui/Skeleton.tsx'
import { adminProfileQuery } from './admin-queries.ts'
import { SecondFactor } from './SecondFactor.tsx'
import { QueryError } from '#web/ui/QueryError.tsx'

const links = [
  { to: '/admin', label: 'Vetting' },
  { to: '/admin/payments', label: 'Payments' },
  { to: '/admin/payouts', label: 'Payouts' },
  { to: '/admin/no-shows', label: 'No-shows' },
  { to: '/admin/videos', label: 'Videos' },
  { to: '/admin/reports', label: 'Reports' },
  { to: '/admin/audit', label: 'Audit log' },
  { to: '/admin/second-factor', label: 'Second factor' },
]

/** Around every page of the back office: where one can go. Until there is a second factor, the way to it and nothing else. */
export function AdminFrame({ children }: { children: ReactNode }) {
  const query = useQuery(adminProfileQuery())
  const { data, error } = query
  // The factor is on by then, and the codes are shown this once.
  const [showsCodes, setShowsCodes] = useState(false)
  if (!data) {
    if (!error) return <AdminLoading />
    return <QueryError level={1} title="The back office did not load" query={query} />
  }
  if (data.second_factor.needed || showsCodes) {
    return (
      <div className="page max-w-2xl">
        <PageHeading
          title="One thing before you start"
          lead="The back office holds identity documents, so a password alone is not enough: please add an authenticator app."
        />
        <SecondFactor onCodes={setShowsCodes} />
      </div>
    )
  }
  return (
    <>
      <nav aria-label="Back office" className="border-b border-line bg-surface">
        <ul className="page flex flex-wrap gap-x-6">
          {links.map(({ to, label }) => (
            <li key={to}>
              <NavLink
                to={to}
                end={to === '/admin'}
                className={({ isActive }) =>
                  classes(
                    'inline-flex min-h-12 items-center border-b-2 text-ink no-underline hover:underline',
                    isActive ? 'border-action font-semibold' : 'border-transparent',
                  )
                }
              >
                {label}
              </NavLink>
            </li>
          ))}
        </ul>
      </nav>
      {children}
    </>
  )
}

export function AdminLoading() {
  return (
    <Loading label="Loading the back office" className="page flex flex-col gap-4 pt-10">
      <Skeleton className="h-10 w-64" />
      <Skeleton className="h-24 rounded-xl" />
      <Skeleton className="h-24 rounded-xl" />
    </Loading>
  )
}
