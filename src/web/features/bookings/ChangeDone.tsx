import { IconMapPin } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import { formatPence } from '#contract/money.ts'
import { formatNames } from '#web/lib/session-formats.ts'
import { Talking } from '#web/ui/illustrations/Scenes.tsx'
import { bankReturnsLabel } from './bank-returns.ts'
import { Fact, WhenFacts } from './BookingSummary.tsx'
import type { ChangeMade } from './use-session-change.ts'

/** The change is made: how it stands now, and where the money went. */
export function ChangeDone({
  change,
  theirZone,
  place,
}: {
  change: ChangeMade
  theirZone: string
  /** Of a face-to-face session. */
  place: string | undefined
}) {
  const { before, after, difference } = change
  const isUnpaid = before.status === 'reserved'
  const heading = useRef<HTMLHeadingElement>(null)
  // The button that was pressed has gone.
  useEffect(() => heading.current?.focus(), [])
  return (
    <div className="flex flex-col items-center gap-5 py-6 text-center">
      <Talking className="w-40" />
      <h3 ref={heading} tabIndex={-1} className="text-2xl">
        Your booking is changed!
      </h3>
      {after.starts_at && after.ends_at && (
        <dl className="grid w-full gap-3.5 rounded-lg border border-line bg-surface p-4 text-left">
          <WhenFacts startsAt={after.starts_at} endsAt={after.ends_at} theirZone={theirZone} />
          {place && (
            <Fact icon={<IconMapPin aria-hidden size={22} />} name="Where">
              {place}
            </Fact>
          )}
        </dl>
      )}
      <p>
        {after.service_name}, {formatNames[after.appointment_type ?? 'online']}.{' '}
        {isUnpaid && difference > 0 && `You paid ${formatPence(difference)}.`}
        {isUnpaid && difference === 0 && 'Nothing is paid yet: the money is taken two days before it starts.'}
        {!isUnpaid && difference > 0 && `You paid ${formatPence(difference)} more.`}
        {difference < 0 &&
          (bankReturnsLabel(before) ??
            `${formatPence(-difference)} is on its way back to the card you paid with.`)}
        {!isUnpaid && difference === 0 && 'The price stays the same.'}
      </p>
      <p className="text-sm text-soft">My Sessions shows how long you can still change it.</p>
    </div>
  )
}
