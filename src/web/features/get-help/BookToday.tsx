import { useQuery } from '@tanstack/react-query'
import { bookTherapistPath } from '#web/lib/booking-path.ts'
import { formatPounds } from '#web/lib/money.ts'
import { formatTime, viewerZone } from '#web/lib/time.ts'
import { Card } from '#web/ui/Card.tsx'
import { ButtonLink } from '#web/ui/Link.tsx'
import { Portrait } from '#web/ui/Portrait.tsx'
import { Loading, Skeleton } from '#web/ui/Skeleton.tsx'
import { Section } from '#web/ui/Section.tsx'
import { type FreeToday, freeTodayQuery } from './free-today.ts'

/** Practitioners who can be booked today for the same issue, while none is free right now. Empty if there is none. */
export function BookToday({ issueId }: { issueId: number }) {
  const { data, isPending } = useQuery(freeTodayQuery(issueId))
  if (isPending) {
    return (
      <Loading label="Looking for free times today" className="flex flex-col gap-3">
        <Skeleton className="h-24" />
        <Skeleton className="h-24" />
      </Loading>
    )
  }
  if (!data || data.length === 0) return null
  return (
    <Section title="Free later today" className="flex flex-col gap-3">
      <ul className="flex flex-col gap-3">
        {data.map((each) => (
          <Offer key={each.practitioner.practitioner_id} {...each} />
        ))}
      </ul>
    </Section>
  )
}

function Offer({ practitioner, service, slot }: FreeToday) {
  const { full_name, provider_types, profile_image, practitioner_id } = practitioner
  const time = formatTime(slot.starts_at, viewerZone())
  return (
    <Card as="li" className="flex flex-wrap items-center gap-x-4 gap-y-3 !p-4">
      <Portrait name={full_name} image={profile_image} size={56} />
      <div className="min-w-0 grow basis-48">
        <h3 className="text-lg leading-tight">{full_name}</h3>
        <p className="text-sm text-soft">{provider_types.join(', ')}</p>
        <p className="text-sm">
          Today at <span className="font-semibold tabular-nums">{time}</span>, {service.duration} minutes
          online, {formatPounds(service.fee)}
        </p>
      </div>
      <ButtonLink
        to={bookTherapistPath({
          practitionerId: practitioner_id,
          serviceId: service.service_id,
          startsAt: slot.starts_at,
          type: slot.appointment_type,
        })}
        variant="secondary"
        className="max-sm:w-full"
      >
        Book {time}
        <span className="sr-only"> with {full_name}</span>
      </ButtonLink>
    </Card>
  )
}
