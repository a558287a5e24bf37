import { type ComponentProps, useEffect, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { UnconfirmedEmail } from '#web/features/accounts/UnconfirmedEmail.tsx'
import { BookedJustNow } from '#web/features/bookings/BookedJustNow.tsx'
import { HeldTimes } from '#web/features/bookings/HeldTimes.tsx'
import { SessionList, SessionListLoading } from '#web/features/bookings/SessionList.tsx'
import { useCardParts } from '#web/features/payments/use-card-parts.tsx'
import { SeriesList } from '#web/features/series/SeriesList.tsx'
import { WaitlistPart } from '#web/features/waitlist/OwnWaitlist.tsx'
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
  const { booked, agreed } = useDoneJustNow()
  const cards = useCardParts()
  return (
    <div className="page">
      <PageHeading
        title="My Sessions"
        actions={
          <TextLink to="/my-sessions/past" className="inline-flex min-h-11 items-center">
            Past sessions
          </TextLink>
        }
      />
      <BookedJustNow id={booked} />
      <HeldTimes />
      <UnconfirmedEmail className="mb-6" />
      <SeriesList
        agreedId={agreed}
        cards={cards}
        renderMove={(appointmentId, onClose) => (
          <MoveSession appointmentId={appointmentId} onClose={onClose} />
        )}
      />
      <SessionList
        renderEdit={(session, onClose) => (
          <EditSession key={session.appointment_id} session={session} onClose={onClose} />
        )}
      />
      <div className="mt-10 empty:hidden">
        <WaitlistPart />
      </div>
    </div>
  )
}

/** The session whose booking led here, or the series that was agreed. Said once: not after a reload, nor on the way back. */
function useDoneJustNow(): { booked: string | undefined; agreed: string | undefined } {
  const navigate = useNavigate()
  const state = useLocation().state as { booked?: unknown; agreed?: unknown } | null
  const [justNow] = useState(() => ({ booked: textOf(state?.booked), agreed: textOf(state?.agreed) }))
  const isToClear = state !== null
  useEffect(() => {
    if (isToClear) void navigate('.', { replace: true, state: null, preventScrollReset: true })
  }, [isToClear, navigate])
  return justNow
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : undefined)
