import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Navigate } from 'react-router'
import type { AppointmentDetail } from '#contract/bookings/bookings.ts'
import { ApiError } from '#web/lib/api-error.ts'
import { serverNow } from '#web/lib/clock.ts'
import { formatPounds } from '#web/lib/money.ts'
import { profilePath } from '#web/lib/profile-path.ts'
import { returnedMoneyLabel } from '#web/lib/returned-money.ts'
import { sessionPath } from '#web/lib/session-paths.ts'
import { formatDay, formatDayAndTime, viewerZone } from '#web/lib/time.ts'
import { useAction } from '#web/lib/use-action.ts'
import { sessionAct, unfinishedAct, useBankChecked, useIsMounted } from '#web/lib/use-bank-checked.ts'
import { Alert } from '#web/ui/Alert.tsx'
import { BankAsked } from '#web/ui/BankAsked.tsx'
import { BankCheck } from '#web/ui/BankCheck.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Card } from '#web/ui/Card.tsx'
import { type CardsToPay, CardToPay } from '#web/ui/CardToPay.tsx'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { ChoosingTime, Talking } from '#web/ui/illustrations/Scenes.tsx'
import { ButtonLink } from '#web/ui/Link.tsx'
import { PageHeading } from '#web/ui/PageHeading.tsx'
import { QueryError } from '#web/ui/QueryError.tsx'
import { showToast } from '#web/ui/Toast.tsx'
import { BookingLoading } from './BookingPage.tsx'
import { appointmentQuery } from './booking-queries.ts'
import { BookingProblem } from './BookingProblem.tsx'
import { BookingSummary, ChangedSinceMail, factsOf } from './BookingSummary.tsx'
import { InView } from './InView.tsx'
import { PriceLines } from './PriceLines.tsx'
import { useReservedLabel } from './use-reserved-label.ts'

type Props = {
  appointmentId: string
  cards: CardsToPay
  onPaid(appointmentId: string): void
}

/** How far the known server time may be behind: it comes in whole seconds, and small differences are left as they are. */
const clockErrorMs = 5000

/** A reserved session is paid with the client present. A link from a mail shows what has become of it meanwhile. */
export function PayReserved({ appointmentId, cards, onPaid }: Props) {
  const query = useQuery({ ...appointmentQuery(appointmentId), enabled: appointmentId !== '' })
  const { data: session, error } = query
  if (session) {
    return (
      <>
        <ChangedSinceMail sequence={session.sequence} className="mt-6" />
        {session.status === 'reserved' ? (
          <Pay session={session} cards={cards} onPaid={onPaid} />
        ) : (
          <NothingToPay session={session} />
        )}
      </>
    )
  }
  if (!error && appointmentId !== '') {
    return (
      <>
        <PageHeading title="Pay for your session" />
        <BookingLoading />
      </>
    )
  }
  if (appointmentId !== '' && !(error instanceof ApiError && error.status === 404)) {
    return (
      <>
        <PageHeading title="Pay for your session" />
        <QueryError title="Your session did not load" query={query} />
      </>
    )
  }
  return (
    <>
      <PageHeading title="Pay for your session" />
      <EmptyState
        title="We cannot find this session"
        illustration={<ChoosingTime className="w-44" />}
        actions={<ButtonLink to="/my-sessions">My Sessions</ButtonLink>}
      >
        <p>
          The address may be mistyped, or it belongs to another account. Everything you have booked is in My
          Sessions.
        </p>
      </EmptyState>
    </>
  )
}

function Pay({ session, cards, onPaid }: Omit<Props, 'appointmentId'> & { session: AppointmentDetail }) {
  const client = useQueryClient()
  const isMounted = useIsMounted()
  const zone = viewerZone()
  const [lacksCard, setLacksCard] = useState(false)
  const payment = useAction('POST /appointment/{appointment_id}/pay')
  const refresh = () =>
    void client.invalidateQueries({ queryKey: appointmentQuery(session.appointment_id).queryKey })
  const checked = useBankChecked({ onRefused: refresh })
  const { words } = useReservedLabel(session)
  const facts = factsOf(session)
  const isBusy = checked.step !== 'idle'
  const { appointment_id, starts_at, pay_at, pay_by, payment_due } = session
  const isPayable =
    payment_due !== 'checking' && pay_at !== null && Date.parse(pay_at) <= serverNow() + clockErrorMs
  const when = starts_at ? formatDay(starts_at, zone) : 'your session'

  function pay(): void {
    const { chosenId } = cards
    setLacksCard(chosenId === undefined)
    if (chosenId === undefined) return
    const carryOut = async () => {
      await payment.send({ params: { appointment_id }, body: { customer_id: chosenId } })
      afterPaying()
    }
    checked.run(sessionAct(appointment_id, carryOut))
  }

  const goOn = () => checked.run(unfinishedAct(appointment_id, async () => afterPaying()))

  function afterPaying(): void {
    void client.invalidateQueries()
    if (isMounted.current) onPaid(appointment_id)
    else showToast('Your session is paid for. You can find it in My Sessions.')
  }

  return (
    <>
      <PageHeading title={`Pay for ${when}`} lead={`With ${session.practitioner.full_name}.`} />
      <div className="grid grid-cols-1 items-start gap-6 lg:grid-cols-[minmax(0,1fr)_26rem]">
        <Card as="section" className="flex flex-col gap-5">
          {payment_due === 'checking' ? (
            <Alert tone="info" title="Your payment is being checked">
              We are waiting for word from the payment provider. You do not have to do anything.
            </Alert>
          ) : payment_due === 'open' || (payment_due === 'planned' && isPayable) ? (
            <Alert tone="warning" title="Not paid yet">
              Nothing was charged for this session yet. Please pay for it here, with any card.
            </Alert>
          ) : payment_due === 'planned' ? (
            <Alert tone="info" title="Not due yet">
              {words}
            </Alert>
          ) : (
            <Alert tone="warning" title="Your payment did not go through">
              {`Your bank did not let us take ${formatPounds(session.fee)}. This happens, for example when a card has expired or the bank wants to hear from you. `}
              {payment_due === 'retrying' && 'We try once more. You can also pay now. '}
            </Alert>
          )}
          {pay_by && isPayable && (
            <p>
              {'Please pay by '}
              <strong>{formatDayAndTime(pay_by, zone)}</strong>
              {'. After that your hour becomes free for others, and nothing is charged.'}
            </p>
          )}
          {!isPayable && (
            <div>
              <ButtonLink to="/my-sessions" variant="secondary">
                My Sessions
              </ButtonLink>
            </div>
          )}
          {isPayable && (
            <>
              <BankAsked
                session={{ session_id: appointment_id }}
                payment={{ ...checked, goOn }}
                label="Finish paying"
              />
              <CardToPay cards={cards} />
              {lacksCard && cards.chosenId === undefined && (
                <Alert tone="warning" live="assertive" title="Choose a card">
                  Add or choose a card to pay with.
                </Alert>
              )}
              {!isBusy && checked.error !== undefined && (
                <InView>
                  <BookingProblem error={checked.error} />
                </InView>
              )}
              <Button fullWidth isPending={isBusy} pendingLabel="Paying" onPress={pay}>
                {`Pay ${formatPounds(session.fee)}`}
              </Button>
            </>
          )}
          <BankCheck checked={checked} />
        </Card>
        <Card as="section" className="flex flex-col gap-5">
          {facts && <BookingSummary facts={facts} />}
          <div className="border-t border-line pt-4">
            <PriceLines price={session} />
          </div>
        </Card>
      </div>
    </>
  )
}

/** What has become of a session that is not waiting for a payment. */
function NothingToPay({ session }: { session: AppointmentDetail }) {
  const { status, starts_at, practitioner } = session
  if (status === 'no_show') return <Navigate to={sessionPath(session.appointment_id)} replace />
  const isPaid = status === 'confirmed' || status === 'completed'
  const when = starts_at ? formatDayAndTime(starts_at, viewerZone()) : 'This session'
  return (
    <>
      <PageHeading title="Pay for your session" />
      <EmptyState
        title={isPaid ? 'This session is paid for' : 'This session is not booked any more'}
        illustration={isPaid ? <Talking className="w-44" /> : <ChoosingTime className="w-44" />}
        actions={
          <>
            <ButtonLink to="/my-sessions">My Sessions</ButtonLink>
            {!isPaid && practitioner.bookable && (
              <ButtonLink to={profilePath(practitioner.practitioner_id)} variant="secondary">
                Choose another time
              </ButtonLink>
            )}
          </>
        }
      >
        <p>
          {isPaid
            ? `${when}, with ${practitioner.full_name}. There is nothing left to do here.`
            : `${when}, with ${practitioner.full_name}, was cancelled. ${returnedMoneyLabel(session) ?? 'Nothing is charged for it.'}`}
        </p>
      </EmptyState>
    </>
  )
}
