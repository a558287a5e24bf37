import {
  IconCalendar,
  IconCoinPound,
  IconExternalLink,
  IconMapPin,
  IconMessages,
  IconVideo,
} from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Session } from '#contract/sessions.ts'
import { messageClientPath, startChatPath } from '#web/lib/chat-paths.ts'
import { serverNow } from '#web/lib/clock.ts'
import { theirFrozenLabel } from '#web/lib/frozen-label.ts'
import { profilePath } from '#web/lib/profile-path.ts'
import { rhythmLabel } from '#web/lib/rhythm-label.ts'
import { payPath, seriesPathOf } from '#web/lib/series-paths.ts'
import { sessionReference } from '#web/lib/session-paths.ts'
import { formatDay, formatDayAndTime, formatTimeRange, viewerZone } from '#web/lib/time.ts'
import { formatNames } from '#web/lib/session-formats.ts'
import { AbsenceClaim } from '#web/ui/AbsenceClaim.tsx'
import { ContactLink } from '#web/ui/ContactLink.tsx'
import { Alert } from '#web/ui/Alert.tsx'
import { SessionClocks } from '#web/ui/SessionClocks.tsx'
import { classes } from '#web/ui/classes.ts'
import { ButtonLink, TextLink } from '#web/ui/Link.tsx'
import { Portrait } from '#web/ui/Portrait.tsx'
import { durationLabel, frozenLabel, reservedLabel } from '../booking-labels.ts'
import { ChangedSinceMail, Fact, placeOf } from '../BookingSummary.tsx'
import { JoinRoom, joinableFrom, SessionClock } from './SessionClock.tsx'
import { mapUrl, mayMessage, momentLabel, moneyLabels, readyTips, sessionName } from './session-labels.ts'
import type { Moment } from './session-moment.ts'
import { sessionsRoot, useMoment } from './session-queries.ts'

type Props = {
  session: Session
  /** The chat of the two, if they have one. */
  chat: ReactNode
  /** What may be done to it, and what has become of it. */
  renderActs(moment: Moment): ReactNode
}

/** One session: who, about what, when and where, what was paid, what may be done, and the chat beside it. */
export function SessionPage({ session, chat, renderActs }: Props) {
  const moment = useMoment(session)
  const { you, other } = session
  const isToday = moment === 'soon' || moment === 'live'
  const hasChat = chat !== undefined
  return (
    // Without a chat the whole width scrolls, and not its column alone. What is hidden by its place stays within it.
    <div
      className={classes(
        'w-full lg:min-h-0 lg:grow',
        hasChat ? 'lg:flex lg:flex-col' : 'lg:relative lg:overflow-y-auto',
      )}
    >
      <div
        className={classes(
          'mx-auto flex w-full max-w-6xl flex-col gap-5 px-4 pt-5 sm:px-6 lg:flex-row lg:gap-0 lg:py-6',
          hasChat ? 'lg:min-h-0 lg:grow' : 'lg:max-w-2xl',
        )}
      >
        <section
          aria-labelledby="session-title"
          className={classes(
            'flex flex-col gap-5',
            hasChat
              ? 'lg:relative lg:w-92 lg:shrink-0 lg:overflow-y-auto lg:rounded-l-xl lg:border lg:border-line lg:bg-surface lg:p-6'
              : 'grow',
          )}
        >
          {/* That a session has taken place is nothing to point out. */}
          {moment !== 'over' && <ChangedSinceMail sequence={session.sequence} />}
          <div className="flex items-center gap-4">
            <Portrait name={other.name} image={other.image} size={72} shape="arch" />
            <div className="min-w-0">
              <h1 id="session-title" className="text-2xl break-words">
                Your session with {other.name}
              </h1>
              {other.provider_types.length > 0 && (
                <p className="text-soft">{other.provider_types.join(', ')}</p>
              )}
            </div>
          </div>
          <output className="block text-lg text-soft">{momentLabel(session, moment)}</output>
          <Attention session={session} />
          {isToday && (
            <p className="rounded-lg bg-ember-soft p-4 text-lg text-ember-text">
              <SessionClock session={session} moment={moment} />
            </p>
          )}
          <JoinRoom session={session} moment={moment} fullWidth />
          <Facts session={session} moment={moment} />
          {renderActs(moment)}
          {you === 'client' && (moment === 'ahead' || moment === 'soon') && <GetReady session={session} />}
          {!hasChat && mayMessage(session) && (
            <ButtonLink
              to={
                other.practitioner_id === null
                  ? messageClientPath(session.appointment_id)
                  : startChatPath(other.practitioner_id)
              }
              variant="secondary"
              className="sm:self-start"
            >
              Message {other.name}
            </ButtonLink>
          )}
          <Trouble session={session} hasChat={hasChat} />
          <p className="flex flex-wrap gap-x-5 lg:mt-auto">
            {other.practitioner_id !== null && session.as_client?.practitioner.bookable && (
              <TextLink to={profilePath(other.practitioner_id)} className="tappable">
                See profile
              </TextLink>
            )}
            <TextLink to={you === 'client' ? '/my-sessions' : '/therapist/schedule'} className="tappable">
              {you === 'client' ? 'My Sessions' : 'Your schedule'}
            </TextLink>
          </p>
        </section>
        {hasChat && (
          <section
            aria-label={`Chat with ${other.name}`}
            className="flex h-[min(85dvh,44rem)] min-h-96 min-w-0 flex-col rounded-xl border border-line bg-paper lg:h-auto lg:min-h-0 lg:grow lg:rounded-l-none lg:border-l-0"
          >
            {chat}
          </section>
        )}
      </div>
    </div>
  )
}

/** What the reader has to know or do first. */
function Attention({ session }: { session: Session }) {
  const { as_client: own, frozen_until, other } = session
  const client = useQueryClient()
  const zone = viewerZone()
  if (frozen_until !== null) {
    return (
      <Alert tone="warning" title="This session is being checked">
        {own ? frozenLabel({ ...own, frozen_until }, zone) : theirFrozenLabel(frozen_until, other.name, zone)}
      </Alert>
    )
  }
  if (own?.nobody_came?.from) {
    return (
      <AbsenceClaim session={own} onDone={() => client.invalidateQueries({ queryKey: sessionsRoot() })} />
    )
  }
  if (own?.status !== 'reserved') return null
  const { words, isDue, lacksCard } = reservedLabel(own, zone)
  if (!isDue && !lacksCard) return null
  return (
    <Alert
      tone="warning"
      title={isDue ? 'Please pay for this session' : undefined}
      actions={
        <ButtonLink to={isDue ? payPath(session.appointment_id) : '/my-sessions'}>
          {isDue ? 'Pay now' : 'Choose a card'}
        </ButtonLink>
      }
    >
      {words}
    </Alert>
  )
}

/** What helps before a session. */
function GetReady({ session }: { session: Session }) {
  const tips = readyTips(session)
  if (tips.length === 0) return null
  return (
    <section aria-labelledby="ready-title" className="flex flex-col gap-2">
      <h2 id="ready-title" className="text-lg">
        How to get ready
      </h2>
      <ul className="list-disc pl-5 text-soft marker:text-action">
        {tips.map((tip) => (
          <li key={tip}>{tip}</li>
        ))}
      </ul>
    </section>
  )
}

/** Where to turn to when something is not right. */
function Trouble({ session, hasChat }: { session: Session; hasChat: boolean }) {
  return (
    <section
      aria-labelledby="trouble-title"
      className="flex flex-col gap-1 border-t border-line pt-4 text-sm text-soft"
    >
      <h2 id="trouble-title" className="font-sans text-sm font-semibold tracking-normal text-ink">
        Is something wrong?
      </h2>
      <p>
        Write to <ContactLink subject={`Session ${session.appointment_id}`} /> and mention session{' '}
        <span className="whitespace-nowrap tabular-nums">{sessionReference(session.appointment_id)}</span>.
        {hasChat && ' To report the chat, use the menu above the messages.'}
      </p>
    </section>
  )
}

function Facts({ session, moment }: { session: Session; moment: Moment }) {
  const { issue, starts_at, ends_at, appointment_type, other, moved_from } = session
  const zone = viewerZone()
  return (
    <dl className="grid gap-3.5">
      <Fact icon={<IconMessages aria-hidden size={22} />} name="Session">
        <span className="font-semibold">{sessionName(session)}</span>
        {issue && <span className="block">About: {issue.issue_name}</span>}
        <span className="block text-soft">
          {formatNames[appointment_type]}, {durationLabel(starts_at, ends_at)}
        </span>
      </Fact>
      <Fact icon={<IconCalendar aria-hidden size={22} />} name="Time">
        <span className="font-semibold">{formatDay(starts_at, zone, serverNow())}</span>
        <span className="block tabular-nums">{formatTimeRange(starts_at, ends_at, zone)}</span>
        {moved_from !== null && (
          <span className="block text-sm text-soft">
            Moved from {formatDayAndTime(moved_from, zone, serverNow())}
          </span>
        )}
        <SessionClocks
          startsAt={starts_at}
          endsAt={ends_at}
          zone={zone}
          others={[{ whose: `For ${other.name}`, zone: other.timezone }]}
        />
        {session.series && (
          <TextLink to={seriesPathOf(session.you, session.series)} className="tappable">
            {rhythmLabel(session.series.rhythm, zone, starts_at)}
          </TextLink>
        )}
      </Fact>
      <Where session={session} moment={moment} />
      {moment !== 'cancelled' && (
        <Fact icon={<IconCoinPound aria-hidden size={22} />} name="Price">
          {moneyLabels(session, zone).map((label, index) => (
            <span key={label} className={classes('block', index > 0 && 'text-sm text-soft')}>
              {label}
            </span>
          ))}
        </Fact>
      )}
    </dl>
  )
}

function Where({ session, moment }: { session: Session; moment: Moment }) {
  const { appointment_type, location, meeting_link, coordinates } = session
  if (appointment_type === 'face_to_face') {
    return (
      <Fact icon={<IconMapPin aria-hidden size={22} />} name="Where">
        {location ? placeOf(location) : 'At the practice'}
        {coordinates && (
          <a
            href={mapUrl(coordinates)}
            target="_blank"
            rel="noreferrer"
            className="flex min-h-11 w-fit items-center gap-1.5 text-action underline underline-offset-[0.2em] hover:text-action-strong"
          >
            Open a map
            <IconExternalLink aria-hidden size={18} />
            <span className="sr-only"> of OpenStreetMap in a new tab</span>
          </a>
        )}
        {session.status === 'reserved' && session.you === 'client' && (
          <span className="block text-sm text-soft">You get the full address once it is paid.</span>
        )}
      </Fact>
    )
  }
  const isAhead = moment === 'ahead' || moment === 'soon' || moment === 'live'
  if (!isAhead) return null
  return (
    <Fact icon={<IconVideo aria-hidden size={22} />} name="Where">
      {meeting_link ? (
        <>
          <a
            href={meeting_link}
            target="_blank"
            rel="noreferrer"
            className="text-action wrap-anywhere underline underline-offset-[0.2em] hover:text-action-strong"
          >
            {meeting_link}
            <span className="sr-only"> opens in a new tab</span>
          </a>
          {moment === 'ahead' && (
            <span className="block text-sm text-soft">You can join from {joinableFrom(session)}.</span>
          )}
        </>
      ) : (
        noRoom(session, moment)
      )}
    </Fact>
  )
}

function noRoom({ you, booking_type, room, status }: Session, moment: Moment): string {
  if (status === 'reserved') return 'Online. The way in appears here once it is paid.'
  if (room?.kind === 'hearth') {
    return moment === 'ahead'
      ? 'In your private room on Hearth, from 15 minutes before the start.'
      : 'In your private room on Hearth.'
  }
  if (booking_type === 'get-help-right-now') return 'In the chat: there is no link to a room.'
  return you === 'client'
    ? 'Your practitioner’s link to the room is not here yet.'
    : 'Your profile has no link to a room yet.'
}
