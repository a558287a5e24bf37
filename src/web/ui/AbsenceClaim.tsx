import { Suspense } from 'react'
import type { PastSession } from '#contract/reviews.ts'
import { lazyPart } from '#web/lib/lazy-part.ts'

const NobodyCame = lazyPart(async () => ({ default: (await import('./NobodyCame.tsx')).NobodyCame }))

type Props = {
  session: PastSession
  /** Reads what is shown anew. Then the focus goes to the page's heading. */
  onDone(): Promise<unknown>
}

/** On a client's session: the way to the money back if its practitioner did not come. Few need it, so its code comes later. */
export function AbsenceClaim({ session, onDone }: Props) {
  const { appointment_id, practitioner, nobody_came, ends_at, room } = session
  if (!nobody_came?.from || !ends_at) return null
  return (
    <Suspense>
      <NobodyCame
        appointmentId={appointment_id}
        practitionerName={practitioner.full_name}
        {...nobody_came}
        endsAt={ends_at}
        isRoomClosed={Boolean(room?.ended_at)}
        onDone={onDone}
      />
    </Suspense>
  )
}
