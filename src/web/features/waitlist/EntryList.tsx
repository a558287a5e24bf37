import { useRef, useState } from 'react'
import type { WaitlistEntry } from '#contract/waitlist/waitlist.ts'
import { serverNow } from '#web/lib/clock.ts'
import { focusLate } from '#web/lib/focus-late.ts'
import { profilePath } from '#web/lib/profile-path.ts'
import { formatDayAndTime, viewerZone } from '#web/lib/time.ts'
import { useAction } from '#web/lib/use-action.ts'
import { offerPath } from '#web/lib/waitlist-path.ts'
import { formatWords } from '#web/lib/session-formats.ts'
import { ActionDialog } from '#web/ui/ActionDialog.tsx'
import { Alert } from '#web/ui/Alert.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Card } from '#web/ui/Card.tsx'
import { ErrorAlert } from '#web/ui/ErrorAlert.tsx'
import { ButtonLink, TextLink } from '#web/ui/Link.tsx'
import { LiveRegion } from '#web/ui/LiveRegion.tsx'
import { Portrait } from '#web/ui/Portrait.tsx'
import {
  lastDayLabel,
  leadTimeLabel,
  leavingLabel,
  offerTermsLabel,
  otherClockOf,
  placeLabel,
  swapOverLabel,
  wishedTimesLabel,
} from './waitlist-labels.ts'
import { changeEntryPath } from './waitlist-paths.ts'
import { ownWaitlistQuery } from './waitlist-queries.ts'

/** A client's places on waitlists, each with pausing, changing and leaving it. */
export function EntryList({ entries, level = 2 }: { entries: readonly WaitlistEntry[]; level?: 2 | 3 }) {
  const [leaving, setLeaving] = useState<WaitlistEntry>()
  const [left, setLeft] = useState<WaitlistEntry>()
  const leave = useAction('DELETE /waitlist/{id}', { invalidates: [ownWaitlistQuery().queryKey] })
  // The button that was pressed has left with its card.
  return (
    <div className="flex flex-col gap-4">
      <LiveRegion focusOn={left}>
        {left && <Alert tone="success">You have left the waitlist of {left.practitioner.full_name}.</Alert>}
      </LiveRegion>
      {entries.length > 0 && (
        <ul className="flex flex-col gap-4">
          {entries.map((entry) => (
            <Entry key={entry.entry_id} entry={entry} level={level} onLeave={() => setLeaving(entry)} />
          ))}
        </ul>
      )}
      {leaving && (
        <ActionDialog
          onClose={() => setLeaving(undefined)}
          title="Leave this waitlist?"
          confirmLabel="Leave the waitlist"
          cancelLabel="Stay on it"
          isDangerous
          failureTitle="You are still on the waitlist"
          onConfirm={async () => {
            await leave.send({ params: { id: leaving.entry_id } })
            setLeft(leaving)
          }}
        >
          <p>{leavingLabel(leaving)}</p>
        </ActionDialog>
      )}
    </div>
  )
}

type EntryProps = { entry: WaitlistEntry; level: 2 | 3; onLeave(): void }

function Entry({ entry, level, onLeave }: EntryProps) {
  const { practitioner, state } = entry
  const { full_name: name } = practitioner
  const Name = `h${level}` as const
  const heading = useRef<HTMLHeadingElement>(null)
  const [said, setSaid] = useState('')
  const change = useAction('PUT /waitlist/{id}', {
    invalidates: [ownWaitlistQuery().queryKey],
    onDone(changed) {
      setSaid(changed.state === 'paused' ? pausedWords : keptWords)
      // A button that was pressed may have left.
      focusLate(heading.current, heading.current?.closest('li'))
    },
  })
  const changeTo = (to: 'waiting' | 'paused') =>
    change.start({ params: { id: entry.entry_id }, body: { state: to } })
  const isPaused = state === 'paused'
  const headingId = `waitlist-${entry.entry_id}`
  return (
    <Card as="li" aria-labelledby={headingId} className="flex flex-col gap-4">
      <div className="flex items-center gap-4">
        <Portrait name={name} image={practitioner.main_image} size={64} shape="arch" />
        <div className="min-w-0 grow">
          <Name id={headingId} ref={heading} tabIndex={-1} className="text-xl">
            <TextLink tone="plain" to={profilePath(practitioner.practitioner_id)}>
              {name}
            </TextLink>
          </Name>
          <p className="font-semibold">
            {entry.place === null ? 'Paused' : placeLabel(entry.place, entry.waiting)}
            {entry.place !== null && <span className="font-normal text-soft"> on the waitlist</span>}
          </p>
        </div>
      </div>
      {entry.offers.map((offer) => (
        <OpenOffer key={offer.offer_id} entry={entry} offer={offer} />
      ))}
      {state !== 'paused' && entry.misses > 0 && (
        <p className="text-soft">
          A time we offered you went by without an answer. After another one we pause your place.
        </p>
      )}
      {entry.paused_by && <p className="text-soft">{pausedTexts[entry.paused_by]}</p>}
      {state === 'waiting' && entry.swaps && !entry.swaps.possible && (
        <p className="text-soft">{swapOverLabel(entry.swaps, viewerZone(), serverNow())}</p>
      )}
      <dl className="grid grid-cols-1 gap-x-6 gap-y-2 sm:grid-cols-[auto_1fr]">
        {factsOf(entry).map(([term, text]) => (
          <div key={term} className="sm:contents">
            <dt className="text-soft">{term}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      <output className="sr-only">{said}</output>
      <ErrorAlert title="That did not work" error={change.error} />
      <div className="flex flex-wrap gap-3 border-t border-line pt-4">
        {isEnding(entry) && (
          <Button
            isPending={change.isPending}
            aria-label={`Keep my place with ${name}`}
            onPress={() => changeTo('waiting')}
          >
            Keep my place
          </Button>
        )}
        {state !== 'offered' && entry.paused_by !== 'practitioner' && (
          <Button
            variant={isPaused ? 'primary' : 'secondary'}
            isPending={change.isPending}
            aria-label={isPaused ? `Carry on waiting for ${name}` : `Pause waiting for ${name}`}
            onPress={() => changeTo(isPaused ? 'waiting' : 'paused')}
          >
            {isPaused ? 'Carry on waiting' : 'Pause'}
          </Button>
        )}
        <ButtonLink
          variant="secondary"
          to={changeEntryPath(entry.entry_id)}
          aria-label={`Change what you wait for with ${name}`}
        >
          Change
        </ButtonLink>
        <Button variant="quiet" onPress={onLeave} aria-label={`Leave the waitlist of ${name}`}>
          Leave
        </Button>
      </div>
    </Card>
  )
}

const pausedWords = 'Your place is paused. We keep it for you.'
const keptWords = 'You are waiting for a time. We email you when one comes free.'

/** How long before its end a place can be kept for longer, in milliseconds: from the mail that asks. */
const askBefore = 7 * 86_400_000

const isEnding = ({ state, ends_at }: WaitlistEntry) =>
  state === 'waiting' && Date.parse(ends_at) - serverNow() < askBefore

const pausedTexts = {
  client: 'Your place is kept. We do not offer you times until you carry on.',
  misses:
    'Two offers went by without an answer, so we paused your place. It is kept. Carry on whenever you like.',
  practitioner:
    'They are not taking sessions at the moment. Your place is kept, and we carry on when they do.',
}

type OfferProps = { entry: WaitlistEntry; offer: WaitlistEntry['offers'][number] }

function OpenOffer({ entry, offer }: OfferProps) {
  const zone = viewerZone()
  return (
    <Alert
      tone="success"
      title={`A time has come free: ${formatDayAndTime(offer.starts_at, zone, serverNow())}`}
      actions={
        <ButtonLink
          to={offerPath(offer.offer_id)}
          aria-label={`See the time with ${entry.practitioner.full_name}`}
        >
          See the time
        </ButtonLink>
      }
    >
      {offerTermsLabel(offer, zone, serverNow())}
    </Alert>
  )
}

function factsOf(entry: WaitlistEntry): [string, string][] {
  const zone = viewerZone()
  const clock = otherClockOf(entry, zone, serverNow())
  return [
    ['You could come', `${wishedTimesLabel(entry, serverNow())}${clock ? ` (${clock})` : ''}`],
    ['For', `${entry.service_name}, ${formatWords[entry.appointment_type]}`],
    ['Notice', `At least ${leadTimeLabel(entry.lead_minutes)}`],
    ...(entry.swaps?.starts_at
      ? [['In place of', formatDayAndTime(entry.swaps.starts_at, zone, serverNow())] as [string, string]]
      : []),
    ...(entry.paused_by === 'practitioner'
      ? []
      : [['Lasts until', lastDayLabel(entry, zone, serverNow())] as [string, string]]),
  ]
}
