import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { OwnReview, PastSession } from '#contract/reviews.ts'
import { formatPounds } from '#web/lib/money.ts'
import { hasKeepableHour, keepHourPath } from '#web/lib/series-paths.ts'
import { Alert } from '#web/ui/Alert.tsx'
import { Button } from '#web/ui/Button.tsx'
import { CalendarFile } from '#web/ui/CalendarFile.tsx'
import { lateDialog } from '#web/ui/Dialog.tsx'
import { ButtonLink } from '#web/ui/Link.tsx'
import { LiveRegion } from '#web/ui/LiveRegion.tsx'
import { SessionOutcome } from '#web/ui/SessionOutcome.tsx'
import { changeLabel, isChangeable, sessionWords } from '../booking-labels.ts'
import { useHasCome } from '../use-has-come.ts'
import { returnLabel } from './session-labels.ts'
import type { Moment } from './session-moment.ts'
import { sessionsRoot } from './session-queries.ts'

const CancelSession = lateDialog(() => import('../CancelSession.tsx'))

/** Parts of other features; a dialog is open for as long as it is rendered. */
export type ClientParts = {
  renderMove(session: PastSession, onClose: () => void): ReactNode
  renderReview(session: PastSession, onClose: () => void, onSaved: (isNew: boolean) => void): ReactNode
  renderWithdraw(session: PastSession, onClose: () => void, onWithdrawn: () => void): ReactNode
  /** The client's review, with the reply and what can be done about them. */
  renderOwnReview(part: {
    review: OwnReview
    headingId: string
    onEdit(): void
    onWithdraw(): void
  }): ReactNode
  renderDispute(session: PastSession, onClose: () => void, onSent: () => void): ReactNode
  /** The practitioner's profile, open on what was booked. */
  profilePath(session: PastSession): string
}

type Props = ClientParts & { session: PastSession; moment: Moment }
type Act = 'move' | 'cancel' | 'review' | 'withdraw' | 'dispute'

/** What a client may do to a session, before it and after it. */
export function ClientActs({ session, moment, ...parts }: Props) {
  const client = useQueryClient()
  const [act, setAct] = useState<Act>()
  const [success, setSuccess] = useState<{ title: string; text: string }>()
  const close = () => setAct(undefined)
  const end = (words: { title: string; text: string }) => {
    close()
    setSuccess(words)
    void client.invalidateQueries({ queryKey: sessionsRoot() })
  }
  const ask = (asked: Act) => {
    setSuccess(undefined)
    setAct(asked)
  }
  const isAhead = moment === 'ahead' || moment === 'soon' || moment === 'live' || moment === 'frozen'
  return (
    <>
      <LiveRegion focusOn={success}>
        {success && (
          <Alert tone="success" title={success.title}>
            {success.text}
          </Alert>
        )}
      </LiveRegion>
      {isAhead ? (
        <Ahead session={session} moment={moment} onAsk={ask} />
      ) : (
        <After {...{ session, onAsk: ask, ...parts }} />
      )}
      {act === 'move' && parts.renderMove(session, close)}
      {act === 'cancel' && (
        <CancelSession
          session={session}
          onClose={close}
          onCancelled={() =>
            end({
              title: 'Your session is cancelled',
              text:
                session.status === 'reserved'
                  ? 'Nothing was charged.'
                  : `${formatPounds(session.fee)} is on its way back to the card you paid with. It may take a few days to show.`,
            })
          }
        />
      )}
      {act === 'review' &&
        parts.renderReview(session, close, (isNew) =>
          end({
            title: isNew ? 'Thank you for your review' : 'Your review has been changed',
            text: `It is on the profile of ${session.practitioner.full_name} now.`,
          }),
        )}
      {act === 'withdraw' &&
        parts.renderWithdraw(session, close, () =>
          end({ title: 'Your review is withdrawn', text: 'It is deleted, and no longer counts.' }),
        )}
      {act === 'dispute' &&
        parts.renderDispute(session, close, () =>
          end({
            title: 'We have your dispute',
            text: 'We will look into it and write to you as soon as we have decided. Until then we hold the money.',
          }),
        )}
    </>
  )
}

function Ahead({ session, moment, onAsk }: Pick<Props, 'session' | 'moment'> & { onAsk(act: Act): void }) {
  // Rendered again when the time to change it is over.
  useHasCome(session.change.until ? Date.parse(session.change.until) + 1 : 0)
  const mayChange = isChangeable(session)
  const isFrozen = session.frozen_until !== null
  if (moment === 'live' && !mayChange) return null
  return (
    <section aria-labelledby="change-title" className="flex flex-col gap-3">
      <h2 id="change-title" className="text-lg">
        Change of plans?
      </h2>
      <p className="text-soft">
        {changeLabel(session)}
        {mayChange && ` ${returnLabel(session)}`}
      </p>
      <div className="flex flex-wrap gap-3">
        {mayChange && !isFrozen && (
          <Button variant="secondary" onPress={() => onAsk('move')}>
            Move to another time
          </Button>
        )}
        {(mayChange || isFrozen) && (
          <Button variant="secondary" onPress={() => onAsk('cancel')}>
            Cancel session
          </Button>
        )}
        {!isFrozen && <CalendarFile appointmentId={session.appointment_id} session={sessionWords(session)} />}
        {!isFrozen && hasKeepableHour(session) && (
          <ButtonLink to={keepHourPath(session.appointment_id)} variant="secondary">
            Keep this hour every week
          </ButtonLink>
        )}
      </div>
    </section>
  )
}

function After({
  session,
  onAsk,
  profilePath,
  renderOwnReview,
}: Omit<Props, 'moment'> & { onAsk(act: Act): void }) {
  const { practitioner, status, review, reviewable, no_show } = session
  return (
    <section aria-labelledby="after-title" className="flex flex-col gap-3">
      <h2 id="after-title" className="text-lg">
        {status === 'cancelled' || status === 'no_show' ? 'What became of it' : 'After your session'}
      </h2>
      <SessionOutcome session={session} />
      {no_show?.can_dispute && (
        <Button className="self-start" onPress={() => onAsk('dispute')}>
          That is not right
        </Button>
      )}
      {review &&
        renderOwnReview({
          review,
          headingId: 'after-title',
          onEdit: () => onAsk('review'),
          onWithdraw: () => onAsk('withdraw'),
        })}
      <div className="flex flex-wrap gap-3 empty:hidden">
        {reviewable && <Button onPress={() => onAsk('review')}>Review this session</Button>}
        {practitioner.bookable && (
          <ButtonLink to={`${profilePath(session)}#book`} variant="secondary">
            {status === 'cancelled' ? 'Choose another time' : 'Book again'}
          </ButtonLink>
        )}
        {practitioner.bookable && status === 'completed' && hasKeepableHour(session) && (
          <ButtonLink to={keepHourPath(session.appointment_id)} variant="secondary">
            Keep this hour every week
          </ButtonLink>
        )}
      </div>
    </section>
  )
}
