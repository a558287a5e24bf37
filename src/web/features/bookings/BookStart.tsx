import { IconCalendar, IconCoinPound, IconMapPin, IconUser, IconVideo } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { ApiError } from '#web/lib/api-error.ts'
import { startChatPath } from '#web/lib/chat-paths.ts'
import { poundsToPence } from '#web/lib/money.ts'
import { practitionerQuery } from '#web/lib/practitioner-query.ts'
import { formatDayAndTime, viewerZone, zoneNote } from '#web/lib/time.ts'
import { joinWaitlistPath } from '#web/lib/waitlist-path.ts'
import { formatNames } from '#web/lib/session-formats.ts'
import { Card } from '#web/ui/Card.tsx'
import { ButtonLink } from '#web/ui/Link.tsx'
import { Price } from '#web/ui/Price.tsx'
import { QueryError } from '#web/ui/QueryError.tsx'
import { otherTimesPath } from './booking-address.ts'
import { BookingLoading, NotOffered } from './BookingPage.tsx'
import { Fact, PractitionerLine } from './BookingSummary.tsx'

/** Where a chat starts and a time is chosen, of an address that names the practitioner alone. */
export function BookStart({ practitionerId }: { practitionerId: number }) {
  const query = useQuery(practitionerQuery(practitionerId))
  const { data: practitioner, error } = query
  if (!practitioner) {
    if (error instanceof ApiError && error.status === 404) {
      return <NotOffered what="practitioner" practitionerId={practitionerId} />
    }
    return error ? <QueryError title="This practitioner did not load" query={query} /> : <BookingLoading />
  }
  const { full_name: name, provider_types: providerTypes, profile_image: image, timezone } = practitioner
  const zone = viewerZone()
  const next = Object.values(practitioner.next_available)
    .filter((start) => start !== null)
    .sort()
    .at(0)
  const WhereIcon = practitioner.session_types.includes('online') ? IconVideo : IconMapPin
  const note = next && zoneNote(next, zone, timezone)
  return (
    <Card as="section" className="flex max-w-2xl flex-col gap-5">
      <PractitionerLine practitioner={{ name, providerTypes, image }} />
      <dl className="grid gap-3.5">
        <Fact icon={<IconCoinPound aria-hidden size={22} />} name="Price">
          Session cost{' '}
          <span className="font-semibold">
            {practitioner.min_fee < practitioner.max_fee && 'from '}
            <Price pence={poundsToPence(practitioner.min_fee)} />
          </span>
        </Fact>
        <Fact icon={<IconCalendar aria-hidden size={22} />} name="Next free time">
          {next ? (
            <>
              Next free time: <span className="font-semibold">{formatDayAndTime(next, zone)}</span>
              {note && <span className="block text-soft">{note}</span>}
            </>
          ) : (
            'No free times at the moment'
          )}
        </Fact>
        <Fact icon={<WhereIcon aria-hidden size={22} />} name="Where">
          {practitioner.session_types.map((type) => formatNames[type]).join(', ')}
        </Fact>
        <Fact icon={<IconUser aria-hidden size={22} />} name="For">
          Individual Therapy
        </Fact>
      </dl>
      <div className="flex flex-col gap-3 border-t border-line pt-5 sm:flex-row">
        <ButtonLink to={startChatPath(practitionerId)}>Start chat with therapist</ButtonLink>
        {next || !practitioner.waitlist.open ? (
          <ButtonLink to={otherTimesPath(practitionerId)} variant="secondary">
            Choose a time
          </ButtonLink>
        ) : (
          <ButtonLink to={joinWaitlistPath(practitionerId)} variant="secondary">
            Join the waitlist
          </ButtonLink>
        )}
      </div>
    </Card>
  )
}
