import { useQuery } from '@tanstack/react-query'
import type { PractitionerProfile } from '#contract/practitioners/practitioners.ts'
import { poundsToPence } from '#web/lib/money.ts'
import { practitionerQuery } from '#web/lib/practitioner-query.ts'
import { formatDay, formatTime, viewerZone } from '#web/lib/time.ts'
import { formatNames } from '#web/lib/session-formats.ts'
import { Portrait } from '#web/ui/Portrait.tsx'
import { Price } from '#web/ui/Price.tsx'
import { Loading, Skeleton } from '#web/ui/Skeleton.tsx'
import { type ChosenBefore, chosenBefore } from './booking-address.ts'
import { offerOf } from './use-booking.ts'
import { PractitionerClock } from '#web/ui/SessionClocks.tsx'

/**
 * The practitioner, time and price that a visitor has chosen, beside the form for signing in or up. Renders nothing where
 * `returnTo` leads to no choice, and where the practitioner cannot be read: the form works without.
 */
export function ChosenBeforeSignIn({ returnTo }: { returnTo: string }) {
  const chosen = chosenBefore(returnTo)
  const query = useQuery({
    ...practitionerQuery(chosen?.practitionerId ?? 0),
    enabled: chosen !== undefined,
  })
  if (!chosen || query.isError) return null
  return (
    <section aria-label="Your choice" className="rounded-xl border border-line bg-surface p-4">
      {query.data ? (
        <Choice chosen={chosen} practitioner={query.data} />
      ) : (
        <Loading label="Loading your choice" className="flex items-center gap-4">
          <Skeleton className="size-16 rounded-t-full rounded-b-lg" />
          <div className="flex grow flex-col gap-2">
            <Skeleton className="h-5 w-2/3 max-w-52" />
            <Skeleton className="h-5 w-1/2 max-w-40" />
            <Skeleton className="h-5 w-3/5 max-w-48" />
          </div>
        </Loading>
      )}
    </section>
  )
}

function Choice({
  chosen: { request },
  practitioner,
}: {
  chosen: ChosenBefore
  practitioner: PractitionerProfile
}) {
  const offer = request && offerOf(practitioner, request)
  return (
    <div className="flex items-center gap-4">
      <Portrait name={practitioner.full_name} image={practitioner.profile_image} size={64} shape="arch" />
      <div className="min-w-0 grow">
        <p>
          {request ? 'Your session with ' : 'Your chat with '}
          <strong className="font-semibold">{practitioner.full_name}</strong>
        </p>
        {request ? <When startsAt={request.startsAt} theirZone={practitioner.timezone} /> : null}
        <p className="flex items-baseline justify-between gap-x-4 text-sm text-soft">
          {offer ? (
            <>
              <span>
                {offer.service.service_name}, {offer.service.duration} minutes,{' '}
                {formatNames[offer.type].toLowerCase()}
              </span>
              <Price
                pence={poundsToPence(offer.service.fee)}
                className="shrink-0 text-base font-semibold text-ink"
              />
            </>
          ) : (
            <span>{practitioner.provider_types.join(', ')}</span>
          )}
        </p>
      </div>
    </div>
  )
}

function When({ startsAt, theirZone }: { startsAt: string; theirZone: string }) {
  const zone = viewerZone()
  return (
    <p>
      {formatDay(startsAt, zone)}, <span className="tabular-nums">{formatTime(startsAt, zone)}</span>
      <PractitionerClock startsAt={startsAt} zone={theirZone} />
    </p>
  )
}
