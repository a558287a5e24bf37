import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Navigate, useNavigate } from 'react-router'
import type { FollowedAppointment } from '#contract/bookings/bookings.ts'
import type { HelpDispatch } from '#contract/get-help/help-dispatch.ts'
import { ApiError } from '#web/lib/api-error.ts'
import { useConnection } from '#web/lib/live.ts'
import { readAgain } from '#web/lib/read-again.ts'
import { foundTherapistsPath, getHelpPath } from '#web/lib/site.ts'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { ErrorState } from '#web/ui/ErrorState.tsx'
import { Looking } from '#web/ui/illustrations/Scenes.tsx'
import { ButtonLink } from '#web/ui/Link.tsx'
import { Asking } from './Asking.tsx'
import { BookToday } from './BookToday.tsx'
import { enterSession } from './enter-session.ts'
import { helpSearchPath } from './help-paths.ts'
import { currentHelpQuery, followedHelpQuery, helpRoot, isOver, lookAgainIn } from './help-queries.ts'
import { texts } from './help-labels.ts'
import { HelpFrame } from './HelpFrame.tsx'
import { MoneyState } from './MoneyState.tsx'
import { HelpLoading } from './SafetyGate.tsx'
import { forgetRunningHelp, noteRunningHelp, useRunningHelp } from './running-help.ts'
import { onHelpNews } from './help-news.ts'
import { SessionBegun } from './SessionBegun.tsx'

type Props = {
  /** Without one, the search that runs or ended within the last hour. */
  sessionId: string | undefined
  issueId: number | undefined
}

/** Follows a search that is paid for to its end: who is asked, who has accepted, or that the money goes back. */
export function HelpFollow({ sessionId, issueId }: Props) {
  const client = useQueryClient()
  const changed = () => void client.invalidateQueries({ queryKey: helpRoot() })
  const isConnected = useConnection() === 'connected'
  useEffect(() => onHelpNews(() => void readAgain(client, helpRoot())), [client])
  const current = useQuery({ ...currentHelpQuery(), enabled: sessionId === undefined })
  const id = sessionId ?? current.data?.session_id
  const { data, error, isFetching, refetch } = useQuery({
    ...followedHelpQuery(id ?? ''),
    enabled: id !== undefined,
    refetchInterval: ({ state }) => lookAgainIn(state.data?.dispatch, isConnected),
    // A client who waits in another window still hears of it.
    refetchIntervalInBackground: true,
  })
  const state = data?.dispatch?.state
  /** A client who waits is redirected to the session; a client who comes back later to read is not. */
  const [hasWaited, setWaited] = useState(false)
  const isRunning = useRunningHelp() === id
  // A practitioner may accept before the answer to the payment is here. This page then never sees them asked.
  const isJustAccepted = data && state === 'accepted' && isRunning && !isOver(data)
  if (!hasWaited && (state === 'asking' || isJustAccepted)) setWaited(true)
  useEffect(() => {
    if (id === undefined || state === undefined) return
    if (state === 'claimed' || state === 'asking') noteRunningHelp(id)
    else forgetRunningHelp(id)
  }, [id, state])
  const failure = data ? null : (error ?? (id === undefined ? current.error : null))
  if (failure) {
    if (failure instanceof ApiError && failure.status === 404) return <Nothing issueId={issueId} />
    return (
      <HelpFrame step="failed" title="Get help right now" here="Booking">
        <ErrorState
          title="Your session did not load"
          onRetry={() => void (id === undefined ? current.refetch() : refetch())}
          isRetrying={isFetching || current.isFetching}
          error={failure}
        />
      </HelpFrame>
    )
  }
  if (id === undefined && current.isSuccess) return <Nothing issueId={issueId} />
  if (!data) return <HelpLoading here="Booking" />
  const { dispatch } = data
  if (!dispatch) return <Nothing issueId={issueId} />
  const about = dispatch.issue?.issue_id ?? issueId
  switch (dispatch.state) {
    case 'claimed':
      // What was read before the payment says so until it is read again.
      if (isFetching) return <HelpLoading here="Booking" />
      return <Navigate to={helpSearchPath(about)} replace />
    case 'asking':
      return <Asking session={data} dispatch={dispatch} onChanged={changed} />
    case 'accepted':
      return hasWaited && !isOver(data) ? (
        <Entering appointmentId={dispatch.dispatch_id} />
      ) : (
        <SessionBegun session={data} dispatch={dispatch} />
      )
    default:
      return <Ended session={data} dispatch={dispatch} issueId={about} />
  }
}

function Entering({ appointmentId }: { appointmentId: string }) {
  const navigate = useNavigate()
  useEffect(() => void enterSession(appointmentId, navigate), [appointmentId, navigate])
  return <HelpLoading here="Booking" />
}

const endings: Record<'nobody' | 'stopped' | 'expired', { title: string; lead: string }> = {
  nobody: {
    title: texts.busy,
    lead: 'We asked everyone who was free, and nobody could take it. You get your money back.',
  },
  stopped: { title: 'You have stopped the search', lead: 'It cost you nothing.' },
  expired: { title: 'The time to pay is over', lead: 'You can search again at once.' },
}

type EndedProps = { session: FollowedAppointment; dispatch: HelpDispatch; issueId: number | undefined }

function Ended({ session, dispatch, issueId }: EndedProps) {
  const { title, lead } = endings[dispatch.state as keyof typeof endings]
  return (
    <HelpFrame step={dispatch.state} title={title} lead={lead} here="Booking">
      <MoneyState money={dispatch.money} session={session} />
      {dispatch.state === 'nobody' && issueId !== undefined && <BookToday issueId={issueId} />}
      <div className="flex flex-col gap-3 sm:flex-row">
        <ButtonLink to={helpSearchPath(issueId)}>{texts.searchAgain}</ButtonLink>
        <ButtonLink to={foundTherapistsPath} variant="secondary">
          {texts.others}
        </ButtonLink>
      </div>
    </HelpFrame>
  )
}

function Nothing({ issueId }: { issueId: number | undefined }) {
  return (
    <HelpFrame step="nothing" title="Get help right now" here="Booking">
      <EmptyState
        title="You have no search at the moment"
        illustration={<Looking className="w-44" />}
        actions={
          <>
            <ButtonLink to={issueId ? helpSearchPath(issueId) : getHelpPath}>{texts.searchAgain}</ButtonLink>
            <ButtonLink to="/my-sessions" variant="secondary">
              My Sessions
            </ButtonLink>
          </>
        }
      >
        <p>It may have ended some time ago. Everything you have booked is in My Sessions.</p>
      </EmptyState>
    </HelpFrame>
  )
}
