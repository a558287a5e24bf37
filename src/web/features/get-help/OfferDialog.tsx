import { IconBellRinging } from '@tabler/icons-react'
import { useState } from 'react'
import type { HelpRequest } from '#contract/get-help/get-help.ts'
import { callApi } from '#web/lib/api.ts'
import { ApiError, messageOf } from '#web/lib/api-error.ts'
import { formatPounds } from '#web/lib/money.ts'
import { Button } from '#web/ui/Button.tsx'
import { Countdown } from '#web/ui/Countdown.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { Alert } from '#web/ui/Alert.tsx'
import { dropRequest, lookAgain } from './help-requests.ts'
import { useIsSoundKeptBack } from './offer-sound.ts'

type Props = {
  request: HelpRequest
  /** It cannot be answered any more: the client has stopped, or the time is over. */
  isOver: boolean
  /** It is over because the practitioner has accepted it. */
  hasAccepted: boolean
  /** Made small, to finish a sentence first; the time goes on. */
  isAside: boolean
  onAside(isAside: boolean): void
  /** Leads into the session. */
  onAccepted(): void
  onClose(): void
}

/**
 * Asks the practitioner to help a client now: who, about what, and how long there is to answer. The focus is on the
 * dialog and not on a button, so that no request is accepted by mistake.
 */
export default function OfferDialog({
  request,
  isOver,
  hasAccepted,
  isAside,
  onAside,
  onAccepted,
  onClose,
}: Props) {
  const [answering, setAnswering] = useState<'accept' | 'decline'>()
  const [problem, setProblem] = useState<string>()

  async function answer(how: 'accept' | 'decline'): Promise<void> {
    if (answering) return
    setAnswering(how)
    setProblem(undefined)
    try {
      const params = { id: request.request_id }
      await (how === 'accept'
        ? callApi('POST /therapist/get-help/requests/{id}/accept', { params })
        : callApi('POST /therapist/get-help/requests/{id}/decline', { params }))
      dropRequest(request.request_id)
      if (how === 'accept') onAccepted()
      else onClose()
    } catch (thrown) {
      if (thrown instanceof ApiError && (thrown.code === 'request_over' || thrown.status === 404)) {
        dropRequest(request.request_id)
      } else setProblem(messageOf(thrown))
    } finally {
      setAnswering(undefined)
    }
  }

  const about = request.issue?.issue_name
  // An event may tell of the own answer before that has come back.
  const isClosed = isOver && answering === undefined
  if (isAside && !isClosed) {
    return (
      <aside
        aria-label="A client asks for help"
        // The page scrolls what has the focus to below it: see theme.css.
        data-put-aside
        className="sticky top-0 z-20 border-b border-line bg-ember-soft"
      >
        <div className="page flex flex-wrap items-center gap-x-5 gap-y-2 py-3">
          <IconBellRinging aria-hidden size={24} className="shrink-0 text-ember-text" />
          <p className="grow basis-40">
            <strong>{request.client_name}</strong> asks for help.{' '}
            <Clock request={request} label="Time left to answer" />
          </p>
          <Button onPress={() => onAside(false)}>Answer</Button>
        </div>
      </aside>
    )
  }
  if (isClosed && hasAccepted) {
    return (
      <Dialog
        onClose={onClose}
        title="You have accepted"
        footer={<Button onPress={onAccepted}>Go to the session</Button>}
      >
        <p>{request.client_name} is waiting for you. Your session has begun.</p>
      </Dialog>
    )
  }
  if (isClosed) {
    return (
      <Dialog
        onClose={onClose}
        title="This request is over"
        footer={<Button onPress={onClose}>Close</Button>}
      >
        <p>
          {request.client_name} is no longer waiting for you: the search was stopped, or the two minutes have
          passed and someone else is being asked. There is nothing you need to do. Thank you for being there.
        </p>
      </Dialog>
    )
  }
  return (
    <Dialog
      role="alertdialog"
      onClose={() => onAside(true)}
      title={`${request.client_name} asks for help right now`}
      footer={
        <>
          <Button
            onPress={() => void answer('accept')}
            isPending={answering === 'accept'}
            pendingLabel="Accepting"
          >
            Accept and begin
          </Button>
          <Button
            variant="secondary"
            onPress={() => void answer('decline')}
            isPending={answering === 'decline'}
            isDisabled={answering === 'accept'}
          >
            Decline
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-5">
        <p className="flex items-center gap-3 rounded-lg bg-ember-soft p-4 text-lg text-ember-text">
          <IconBellRinging aria-hidden size={26} className="shrink-0" />
          <Clock request={request} label="Time left to answer" />
        </p>
        <SoundState />
        <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-2">
          {about && (
            <>
              <dt className="text-soft">About</dt>
              <dd className="text-right font-semibold">{about}</dd>
            </>
          )}
          <dt className="text-soft">Session</dt>
          <dd className="text-right font-semibold">{request.duration} minutes, online, now</dd>
          <dt className="text-soft">You receive</dt>
          <dd className="text-right font-semibold tabular-nums">{formatPounds(request.fee)}</dd>
        </dl>
        <p className="text-sm text-soft">
          If you cannot, decline, and the next practitioner is asked straight away. It does not count against
          you.
        </p>
        {problem !== undefined && (
          <Alert tone="danger" live="assertive" title="That did not go through">
            {problem} You can press the button again.
          </Alert>
        )}
      </div>
    </Dialog>
  )
}

/** Keeps its line once the sound is on: a button that moved under a finger would be pressed by mistake. */
function SoundState() {
  const isKeptBack = useIsSoundKeptBack()
  const [wasKeptBack, setWasKeptBack] = useState(isKeptBack)
  if (isKeptBack && !wasKeptBack) setWasKeptBack(true)
  return (
    wasKeptBack && (
      <output className="text-sm text-soft">
        {isKeptBack ? 'Sound is off. Touch here to turn it on.' : 'Sound is on.'}
      </output>
    )
  )
}

/** By the server's deadline. At its end the truth is read. */
function Clock({ request, label }: { request: HelpRequest; label: string }) {
  return <Countdown until={request.answer_by} label={label} onEnd={() => void lookAgain()} />
}
