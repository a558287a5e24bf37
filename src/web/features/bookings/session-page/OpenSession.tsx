import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef } from 'react'
import type { Session } from '#contract/sessions.ts'
import { ApiError } from '#web/lib/api-error.ts'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { LostPath } from '#web/ui/illustrations/LostPath.tsx'
import { ButtonLink } from '#web/ui/Link.tsx'
import { QueryError } from '#web/ui/QueryError.tsx'
import { Loading, Skeleton } from '#web/ui/Skeleton.tsx'
import { sessionQuery, useSessionNews } from './session-queries.ts'

type Props = {
  /** As the address has it. */
  id: string
  role: 'client' | 'therapist'
  children(session: Session): ReactNode
}

/** Reads one session and keeps up with it. */
export function OpenSession({ id, role, children }: Props) {
  const query = useQuery(sessionQuery(id))
  useSessionNews(query.data)
  const { status } = query
  const wasFocused = useRef(false)
  // The heading that had the focus while this loaded is gone; the one in its place takes it.
  useEffect(() => {
    if (status !== 'pending') return undefined
    const note = ({ target }: FocusEvent) => {
      wasFocused.current = target instanceof HTMLHeadingElement
    }
    document.addEventListener('focusin', note)
    return () => document.removeEventListener('focusin', note)
  }, [status])
  useEffect(() => {
    const heading = document.querySelector<HTMLElement>('main h1')
    if (status === 'pending' || !wasFocused.current || !heading) return
    wasFocused.current = false
    heading.tabIndex = -1
    heading.focus({ preventScroll: true })
  }, [status])
  if (query.data) return children(query.data)
  if (!query.error) return <SessionLoading />
  if (query.error instanceof ApiError && [404, 422].includes(query.error.status)) {
    return (
      <div className="page py-10">
        <EmptyState
          level={1}
          title="We cannot find this session"
          illustration={<LostPath className="w-52" />}
          actions={
            role === 'client' ? (
              <ButtonLink to="/my-sessions">My Sessions</ButtonLink>
            ) : (
              <ButtonLink to="/therapist/schedule">Your schedule</ButtonLink>
            )
          }
        >
          <p>The address may be mistyped, or it belongs to another account.</p>
        </EmptyState>
      </div>
    )
  }
  return (
    <div className="page py-10">
      <QueryError query={query} title="Your session did not load" level={1} />
    </div>
  )
}

export function SessionLoading() {
  return (
    <div className="page py-8">
      <h1 className="sr-only">Your session</h1>
      <Loading label="Loading your session" className="flex max-w-2xl flex-col gap-5">
        <Skeleton className="h-20" />
        <Skeleton className="h-12" />
        <Skeleton className="h-40" />
      </Loading>
    </div>
  )
}
