import {
  IconCalendar,
  IconCalendarCheck,
  IconClock,
  IconMapPin,
  IconMessages,
  IconVideo,
  IconX,
} from '@tabler/icons-react'
import { type ReactNode, useId } from 'react'
import type { AppointmentDetail } from '#contract/bookings/bookings.ts'
import { startChatPath } from '#web/lib/chat-paths.ts'
import { hasKeepableHour, keepHourPath } from '#web/lib/series-paths.ts'
import { sessionPath } from '#web/lib/session-paths.ts'
import { returnedMoneyLabel } from '#web/lib/returned-money.ts'
import { viewerZone } from '#web/lib/time.ts'
import { formatNames } from '#web/lib/session-formats.ts'
import { Button } from '#web/ui/Button.tsx'
import { CalendarFile } from '#web/ui/CalendarFile.tsx'
import { Card } from '#web/ui/Card.tsx'
import { classes } from '#web/ui/classes.ts'
import { ButtonLink, TextLink } from '#web/ui/Link.tsx'
import { Alert } from '#web/ui/Alert.tsx'
import { Portrait } from '#web/ui/Portrait.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { bookingTypeNames, changeLabel, frozenLabel, isChangeable, sessionWords } from './booking-labels.ts'
import { Fact, placeOf, WhenFacts } from './BookingSummary.tsx'
import { NotPaidYet } from './NotPaidYet.tsx'
import { OnlineRoom } from './SessionAccess.tsx'

type Props = {
  session: AppointmentDetail
  onEdit(): void
  onCancel(): void
}

/** One upcoming session. What may no longer be done is said in words in the place of its buttons. */
export function SessionCard({ session, onEdit, onCancel }: Props) {
  const headingId = useId()
  const { practitioner, starts_at, ends_at } = session
  const named = sessionWords(session)
  const returned = returnedMoneyLabel(session)
  const mayChange = isChangeable(session)
  const isFrozen = session.frozen_until !== null
  return (
    <Card as="li" aria-labelledby={headingId} className="flex flex-col gap-5">
      {/* On a phone the name has a line of its own: it does not fit between the portrait and the button. */}
      <div className={classes('flex items-center gap-x-4 gap-y-2', mayChange && 'flex-wrap')}>
        <Portrait name={practitioner.full_name} image={practitioner.main_image} size={72} shape="arch" />
        <div className={classes('min-w-0 grow', mayChange && 'max-sm:order-last max-sm:basis-full')}>
          <h2 id={headingId} className="text-xl">
            <TextLink to={sessionPath(session.appointment_id)} tone="plain">
              {practitioner.full_name}
            </TextLink>
          </h2>
          <p className="text-soft">{practitioner.provider_types.join(', ')}</p>
        </div>
        {mayChange && (
          <Button
            variant="quiet"
            aria-label={`Cancel session with ${named}`}
            onPress={onCancel}
            className="-mr-4 self-start max-sm:ml-auto sm:-mt-2"
          >
            <IconX aria-hidden size={20} />
            Cancel
          </Button>
        )}
      </div>
      {session.frozen_until && (
        <Alert tone="warning" title="This session is being checked">
          {frozenLabel({ ...session, frozen_until: session.frozen_until }, viewerZone())}
        </Alert>
      )}
      {session.status === 'reserved' && !isFrozen && <NotPaidYet session={session} isListed />}
      <dl className="grid grid-cols-1 gap-3.5 sm:grid-cols-2">
        {starts_at && ends_at && (
          <WhenFacts startsAt={starts_at} endsAt={ends_at} theirZone={practitioner.timezone} />
        )}
        <Fact icon={<IconMessages aria-hidden size={22} />} name="Session">
          {session.services.map((service) => service.service_name).join(', ')}
          {session.booking_type === 'schedule' && (
            <span className="block text-sm text-soft">
              {session.series_id === null ? bookingTypeNames[session.booking_type] : 'Regular session'}
            </span>
          )}
        </Fact>
        <Where session={session} />
      </dl>
      {returned && <Alert>{returned}</Alert>}
      <div className="flex flex-wrap items-center gap-4 border-t border-line pt-4">
        <p className="flex grow basis-72 gap-2 text-sm text-soft">
          <IconCalendarCheck aria-hidden size={20} className="mt-0.5 shrink-0" />
          <span>{changeLabel(session)}</span>
        </p>
        <div className="flex flex-wrap gap-3">
          {isFrozen ? (
            <Button variant="secondary" onPress={onCancel} aria-label={`Cancel session with ${named}`}>
              Cancel session
            </Button>
          ) : (
            <>
              {mayChange && (
                <Button variant="secondary" onPress={onEdit} aria-label={`Move session with ${named}`}>
                  Move
                </Button>
              )}
              {!session.room?.ended_at && (
                <CalendarFile appointmentId={session.appointment_id} session={named} />
              )}
              {hasKeepableHour(session) && (
                <ButtonLink
                  to={keepHourPath(session.appointment_id)}
                  variant="secondary"
                  aria-label={`Keep this hour: ${named}`}
                >
                  Keep this hour
                </ButtonLink>
              )}
              <ButtonLink
                to={startChatPath(practitioner.practitioner_id)}
                variant="secondary"
                aria-label={`Message ${practitioner.full_name}`}
              >
                Message
              </ButtonLink>
            </>
          )}
        </div>
      </div>
    </Card>
  )
}

function Where({ session }: { session: AppointmentDetail }) {
  if (session.appointment_type !== 'online') {
    return (
      <Fact icon={<IconMapPin aria-hidden size={22} />} name="Where">
        {formatNames.face_to_face}
        <span className="block text-sm text-soft">
          {session.location ? placeOf(session.location) : 'Your practitioner will tell you the address.'}
        </span>
      </Fact>
    )
  }
  return (
    <Fact icon={<IconVideo aria-hidden size={22} />} name="Where">
      <OnlineRoom session={session} />
    </Fact>
  )
}

/** In the shape of a session. */
export function SessionCardLoading() {
  return (
    <Card className="flex flex-col gap-5">
      <div className="flex items-center gap-4">
        <Skeleton className="size-18 rounded-t-full rounded-b-lg" />
        <div className="flex grow flex-col gap-2">
          <Skeleton className="h-7 w-2/3 max-w-52" />
          <Skeleton className="h-5 w-1/2 max-w-36" />
        </div>
      </div>
      <div className="grid grid-cols-1 gap-3.5 sm:grid-cols-2">
        <FactLoading icon={<IconCalendar aria-hidden size={22} />} />
        <FactLoading icon={<IconClock aria-hidden size={22} />} />
        <FactLoading icon={<IconMessages aria-hidden size={22} />} />
        <FactLoading icon={<IconVideo aria-hidden size={22} />} />
      </div>
      <Skeleton className="h-12 w-full" />
    </Card>
  )
}

function FactLoading({ icon }: { icon: ReactNode }) {
  return (
    <div className="flex gap-3 text-faint">
      {icon}
      <Skeleton className="h-6 w-40" />
    </div>
  )
}
