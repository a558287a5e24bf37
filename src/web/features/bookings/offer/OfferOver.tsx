import { useEffect, useRef } from 'react'
import type { WaitlistOffer } from '#contract/waitlist/waitlist.ts'
import { focusLate } from '#web/lib/focus-late.ts'
import { formatDayAndTime, viewerZone } from '#web/lib/time.ts'
import { serverNow } from '#web/lib/clock.ts'
import { ownWaitlistPath } from '#web/lib/waitlist-path.ts'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { ChoosingTime, Talking } from '#web/ui/illustrations/Scenes.tsx'
import { Button } from '#web/ui/Button.tsx'
import { ButtonLink } from '#web/ui/Link.tsx'
import { otherTimesPath } from '../booking-address.ts'

/** What has become of an offered hour that cannot be had any more, also behind an old link. */
export function OfferOver({ offer, onLookAgain }: { offer: WaitlistOffer; onLookAgain(): void }) {
  const box = useRef<HTMLDivElement>(null)
  const { title, text, isBooked, mayComeBack } = wordsOf(offer)
  // What was on the page has left, with the button that was pressed.
  useEffect(() => focusLate(box.current), [])
  const { practitioner_id: practitionerId, full_name: name } = offer.practitioner
  return (
    <div ref={box} tabIndex={-1} aria-live="polite" className="outline-none">
      <EmptyState
        title={title}
        illustration={isBooked ? <Talking className="w-44" /> : <ChoosingTime className="w-44" />}
        actions={
          <>
            {mayComeBack && <Button onPress={onLookAgain}>Look again</Button>}
            <ButtonLink
              variant={mayComeBack ? 'secondary' : 'primary'}
              to={isBooked ? '/my-sessions' : ownWaitlistPath}
            >
              {isBooked ? 'My Sessions' : 'Your waitlists'}
            </ButtonLink>
            <ButtonLink to={otherTimesPath(practitionerId)} variant="secondary">
              Times with {name}
            </ButtonLink>
          </>
        }
      >
        <p>{formatDayAndTime(offer.starts_at, viewerZone(), serverNow())}</p>
        <p className="mt-2">{text}</p>
      </EmptyState>
    </div>
  )
}

type Words = { title: string; text: string; isBooked?: true; mayComeBack?: true }

function wordsOf({ kind, state, entry_state: entry }: WaitlistOffer): Words {
  const place =
    entry === 'paused'
      ? 'Your place on the waitlist is paused, and kept.'
      : entry === 'ended'
        ? 'You are not on this waitlist any more.'
        : 'You keep your place on the waitlist.'
  if (state === 'taken') {
    return {
      title: 'You have booked this session',
      text: 'It is paid for. There is nothing left to do here.',
      isBooked: true,
    }
  }
  if (state === 'declined') {
    return { title: 'You said no to this time', text: `We have passed it on. ${place}` }
  }
  if (state === 'withdrawn' && kind === 'turn') {
    return {
      title: 'This time is not available after all',
      text: `We are sorry. Nothing was charged. ${place}`,
    }
  }
  if (kind === 'broadcast' && state === 'open') {
    return {
      title: 'This time is not free just now',
      text: `Another client is booking it. If they do not finish, it is free again in about ten minutes. Nothing was charged. ${place}`,
      mayComeBack: true,
    }
  }
  if (kind === 'broadcast') {
    const why = 'It was booked, or is no longer offered.'
    return { title: 'This time has gone', text: `${why} Nothing was charged. ${place}` }
  }
  return {
    title: 'This time is no longer held for you',
    text: `Your turn has passed, and nothing was charged. ${place}`,
  }
}
