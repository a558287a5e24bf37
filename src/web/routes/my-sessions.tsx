import { useQuery } from '@tanstack/react-query'
import type { ComponentProps } from 'react'
import { AskHealthConsent } from '#web/features/accounts/AskHealthConsent.tsx'
import { UnconfirmedEmail } from '#web/features/accounts/UnconfirmedEmail.tsx'
import { BookedJustNow } from '#web/features/bookings/BookedJustNow.tsx'
import { HeldTimes } from '#web/features/bookings/HeldTimes.tsx'
import { SessionList, SessionListLoading } from '#web/features/bookings/SessionList.tsx'
import { useCardParts } from '#web/features/payments/use-card-parts.tsx'
import { SeriesList } from '#web/features/series/SeriesList.tsx'
import { ownSeriesQuery } from '#web/features/series/series-queries.ts'
import { WaitlistPart } from '#web/features/waitlist/OwnWaitlist.tsx'
import { useHandedOver } from '#web/lib/handed-over.ts'
import { pageTitle } from '#web/lib/site.ts'
import { lateDialog } from '#web/ui/Dialog.tsx'
import { TextLink } from '#web/ui/Link.tsx'
import { PageHeading } from '#web/ui/PageHeading.tsx'

export const meta = () => [{ title: pageTitle('My Sessions') }]

export const clientLoader = () => null

export function HydrateFallback() {
  return (
    <div className="page">
      <PageHeading title="My Sessions" />
      <SessionListLoading />
    </div>
  )
}

const fetchMoveParts = () =>
  Promise.all([
    import('#web/features/availability/SlotPicker.tsx'),
    import('#web/features/payments/use-card-parts.tsx'),
  ]).then(([{ SlotPicker }, { WithCards }]) => ({ SlotPicker, WithCards }))

const EditSession = lateDialog(async () => {
  const [{ EditSession: Edit }, parts] = await Promise.all([
    import('#web/features/bookings/EditSession.tsx'),
    fetchMoveParts(),
  ])
  type Props = Omit<ComponentProps<typeof Edit>, 'parts'>
  return { default: (props: Props) => <Edit {...props} parts={parts} /> }
})

const MoveSession = lateDialog(async () => {
  const [{ MoveSession: Move }, parts] = await Promise.all([
    import('#web/features/bookings/MoveSession.tsx'),
    fetchMoveParts(),
  ])
  type Props = Omit<ComponentProps<typeof Move>, 'parts'>
  return { default: (props: Props) => <Move {...props} parts={parts} /> }
})

export default function MySessions() {
  const { booked, agreed } = useHandedOver<{ booked: string; agreed: string }>()
  const cards = useCardParts()
  const { data: known, isPending } = useQuery(ownSeriesQuery())
  const live = new Set(known?.data.flatMap(({ series_id, state }) => (state === 'ended' ? [] : series_id)))
  // Below the sessions that are next, unless it was agreed just now: what has become of that is read first.
  const series = (
    <SeriesList
      agreedId={agreed}
      className={agreed ? 'mb-10' : 'mt-10'}
      cards={cards}
      renderMove={(appointmentId, onClose) => <MoveSession appointmentId={appointmentId} onClose={onClose} />}
    />
  )
  return (
    <div className="page">
      <PageHeading
        title="My Sessions"
        actions={
          <TextLink to="/my-sessions/past" className="tappable">
            Past sessions
          </TextLink>
        }
      />
      <BookedJustNow id={booked} />
      <HeldTimes />
      <UnconfirmedEmail className="mb-6" />
      {agreed && series}
      <SessionList
        isOnCard={({ series_id }) => isPending || (series_id !== null && live.has(series_id))}
        renderEdit={(session, onClose) => (
          <EditSession key={session.appointment_id} session={session} onClose={onClose} />
        )}
      />
      {!agreed && series}
      <AskHealthConsent className="mt-10 max-w-3xl" />
      <div className="mt-10 empty:hidden">
        <WaitlistPart />
      </div>
    </div>
  )
}
