import { useEffect, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import type { AppointmentDetail } from '#contract/bookings/bookings.ts'
import { UnconfirmedEmail } from '#web/features/accounts/UnconfirmedEmail.tsx'
import { SlotPicker } from '#web/features/availability/SlotPicker.tsx'
import { EditSession } from '#web/features/bookings/EditSession.tsx'
import { SessionList, SessionListLoading } from '#web/features/bookings/SessionList.tsx'
import { CardChoice } from '#web/features/payments/CardChoice.tsx'
import { CardForm, useClientCard } from '#web/features/payments/CardForm.tsx'
import { useSavedCards } from '#web/features/payments/use-saved-cards.ts'
import { serverNow } from '#web/lib/clock.ts'
import { pageTitle } from '#web/lib/site.ts'
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

export default function MySessions() {
  const bookedId = useBookedJustNow()
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
      <UnconfirmedEmail className="mb-6" />
      <SessionList
        bookedId={bookedId}
        renderEdit={(session, onClose) => (
          <EditWithCards key={session.appointment_id} session={session} onClose={onClose} />
        )}
      />
    </div>
  )
}

function EditWithCards({ session, onClose }: { session: AppointmentDetail; onClose(): void }) {
  const saved = useSavedCards()
  const clientCard = useClientCard()
  const [now] = useState(serverNow)
  return (
    <EditSession
      session={session}
      onClose={onClose}
      cards={{
        chosenId: saved.chosen?.customer_id,
        count: saved.cards?.length,
        choice: <CardChoice saved={saved} label="Pay the difference with" />,
        renderForm: (onSaved) => (
          <CardForm
            {...clientCard}
            submitLabel="Add card"
            onSaved={(card) => {
              saved.add(card)
              onSaved()
            }}
          />
        ),
      }}
      renderSlots={({ practitionerId, serviceId, type, practitionerZone, bookedFor, chosen, onChoose }) => (
        <SlotPicker
          // Another service begins with the week of the session again.
          key={`${type}-${serviceId}`}
          practitionerId={practitionerId}
          serviceId={serviceId}
          appointmentType={type}
          practitionerZone={practitionerZone}
          value={chosen}
          onChange={onChoose}
          now={now}
          opensAt={bookedFor}
        />
      )}
    />
  )
}

/** The session whose booking led here. It is said once: not again after a reload, nor on the way back. */
function useBookedJustNow(): string | undefined {
  const navigate = useNavigate()
  const state = useLocation().state as { booked?: unknown } | null
  const [bookedId] = useState(() => (typeof state?.booked === 'string' ? state.booked : undefined))
  const isToClear = state !== null
  useEffect(() => {
    if (isToClear) void navigate('.', { replace: true, state: null, preventScrollReset: true })
  }, [isToClear, navigate])
  return bookedId
}
