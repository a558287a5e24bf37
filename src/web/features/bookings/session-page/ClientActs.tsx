import { useQueryClient } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import type { PastSession } from '#contract/reviews.ts'
import { lazyPart } from '#web/lib/lazy-part.ts'
import { formatPounds } from '#web/lib/money.ts'
import { useRenderAt } from '#web/lib/use-render-at.ts'
import { hasKeepableHour, keepHourPath } from '#web/lib/series-paths.ts'
import { Button } from '#web/ui/Button.tsx'
import { CalendarFile } from '#web/ui/CalendarFile.tsx'
import { lateDialog } from '#web/ui/Dialog.tsx'
import { ButtonLink } from '#web/ui/Link.tsx'
import { SuccessRegion, type SuccessWords } from '#web/ui/LiveRegion.tsx'
import { bankReturnsLabel } from '../bank-returns.ts'
import { changeLabel, isChangeable, sessionWords } from '../booking-labels.ts'
import { returnLabel } from './session-labels.ts'
import type { Act, ClientParts } from './client-parts.ts'
import type { Moment } from './session-moment.ts'
import { sessionsRoot } from './session-queries.ts'

const CancelSession = lateDialog(() => import('../CancelSession.tsx'))
/** Before a session it is not needed. */
const AfterSession = lazyPart(() => import('./AfterSession.tsx'))

type Props = ClientParts & { session: PastSession; moment: Moment }

/** What a client may do to a session, before it and after it. */
export default function ClientActs({ session, moment, ...parts }: Props) {
  const client = useQueryClient()
  const [asked, setAsked] = useState<{ act: Act; session: PastSession }>()
  const [success, setSuccess] = useState<SuccessWords>()
  const act = asked?.act
  const close = () => setAsked(undefined)
  const end = (words: SuccessWords) => {
    setSuccess(words)
    void client.invalidateQueries({ queryKey: sessionsRoot() })
  }
  const ask = (next: Act) => {
    setSuccess(undefined)
    setAsked({ act: next, session })
  }
  // Once it is cancelled, the session no longer shows whether it was paid. The answer to the cancellation may have been lost.
  const toCancel = asked && session.status === 'cancelled' ? asked.session : session
  const isAhead = moment === 'ahead' || moment === 'soon' || moment === 'live' || moment === 'frozen'
  return (
    <>
      <SuccessRegion success={success} />
      {isAhead ? (
        <Ahead session={session} moment={moment} onAsk={ask} />
      ) : (
        <Suspense>
          <AfterSession {...{ session, onAsk: ask, ...parts }} />
        </Suspense>
      )}
      {act === 'move' && parts.renderMove(session, close)}
      {act === 'cancel' && (
        <CancelSession
          session={toCancel}
          onClose={close}
          onCancelled={() =>
            end({
              title: 'Your session is cancelled',
              text:
                toCancel.status === 'reserved'
                  ? 'Nothing was charged.'
                  : (bankReturnsLabel(toCancel) ??
                    `${formatPounds(toCancel.fee)} is on its way back to the card you paid with. It may take a few days to show.`),
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
  useRenderAt(session.change.until ? Date.parse(session.change.until) + 1 : undefined)
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
