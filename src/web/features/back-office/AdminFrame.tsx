import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { PageHeading } from '#web/ui/PageHeading.tsx'
import { Loading, Skeleton } from '#web/ui/Skeleton.tsx'
import { adminProfileQuery } from './admin-queries.ts'
import { BackOfficeNav } from './BackOfficeNav.tsx'
import { SecondFactor } from './SecondFactor.tsx'
import { QueryError } from '#web/ui/QueryError.tsx'

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
      <BackOfficeNav />
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
