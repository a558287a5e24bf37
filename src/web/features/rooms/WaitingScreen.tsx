import type { Room } from '#contract/rooms/rooms.ts'
import { serverNow } from '#web/lib/clock.ts'
import { focusOnHeading } from '#web/lib/focus-on-heading.ts'
import { useAction } from '#web/lib/use-action.ts'
import { Alert } from '#web/ui/Alert.tsx'
import { Button } from '#web/ui/Button.tsx'
import { ErrorAlert } from '#web/ui/ErrorAlert.tsx'
import { Portrait } from '#web/ui/Portrait.tsx'
import { ChatDrawer } from './ChatDrawer.tsx'
import { MediaProblems } from './DevicePicker.tsx'
import { NobodyCameAlert } from './NobodyCameAlert.tsx'
import { OwnControls } from './OwnControls.tsx'
import { OwnLinkOffered } from './OwnLink.tsx'
import type { OwnMedia } from './own-media.ts'
import { OwnPreview } from './OwnPreview.tsx'
import { clockTime } from './room-labels.ts'
import type { RoomParts } from './room-parts.ts'
import { useShowRoom } from './room-queries.ts'

type Props = RoomParts & {
  room: Room
  media: OwnMedia
  /** The two were in the session before. */
  wasLetIn: boolean
  isLost: boolean
  onLeave(): void
}

/** In the room, before the practitioner lets the client in. */
export function WaitingScreen({ room, media, wasLetIn, isLost, onLeave, emergency, chat, unread }: Props) {
  const isClient = room.you === 'client'
  return (
    <div className="relative min-h-0 grow overflow-y-auto">
      <div className="page grid grid-cols-1 gap-6 py-6 lg:grid-cols-[2fr_3fr] lg:gap-x-10">
        <div className="flex flex-col gap-5">
          <div className="flex items-center gap-4">
            <Portrait name={room.other.name} image={room.other.image} size={72} shape="arch" />
            <h1 className="min-w-0 text-2xl break-words">{waitingTitle(room, wasLetIn)}</h1>
          </div>
          {isLost && <LostAlert />}
          <OwnLinkOffered room={room} media={media} />
          {isClient ? <ClientWaits room={room} wasLetIn={wasLetIn} /> : <PractitionerLetsIn room={room} />}
          <div className="flex flex-wrap gap-3">
            {chat && <ChatDrawer name={room.other.name} chat={chat} unread={unread} look="button" />}
            <Button variant="quiet" onPress={onLeave}>
              Leave
            </Button>
          </div>
          {emergency}
        </div>
        <section aria-label="Your picture and sound" className="flex flex-col gap-4">
          <OwnPreview media={media} className="aspect-video w-full rounded-xl" />
          <div className="flex justify-center gap-3">
            <OwnControls media={media} />
          </div>
          <MediaProblems media={media} />
        </section>
      </div>
    </div>
  )
}

export function LostAlert() {
  return (
    <Alert tone="warning" live="polite">
      We cannot reach our server just now. We go on trying.
    </Alert>
  )
}

/** 'begins at 10:00', or that it has begun. */
function beginsAt(startsAt: string): string {
  return `${Date.parse(startsAt) > serverNow() ? 'begins' : 'began'} at ${clockTime(startsAt)}`
}

function waitingTitle({ you, other }: Room, wasLetIn: boolean): string {
  if (you === 'client')
    return wasLetIn ? 'You are back in the waiting room' : `${other.name} has not let you in yet`
  return other.here ? `${other.name} is waiting` : `${other.name} is not here yet`
}

function ClientWaits({ room, wasLetIn }: { room: Room; wasLetIn: boolean }) {
  const { other, starts_at, late_at } = room
  return (
    <>
      <p className="text-lg text-soft">
        Your session {beginsAt(starts_at)}.{' '}
        {other.here
          ? `${other.name} is here and will let you in${wasLetIn ? ' again' : ''}.`
          : 'You are in the right place.'}{' '}
        Nobody sees or hears you {wasLetIn ? 'now' : 'yet'}.
      </p>
      {late_at !== null && (
        <Alert title={`${other.name} is about five minutes late`}>
          They told us at {clockTime(late_at)}.
        </Alert>
      )}
      <NobodyCameAlert room={room} />
      <BreathingPause />
    </>
  )
}

function BreathingPause() {
  return (
    <div className="flex items-center gap-5 rounded-xl bg-surface p-5">
      <span
        aria-hidden
        style={{ animationDuration: '10s' }}
        className="size-14 shrink-0 rounded-full bg-action-soft motion-safe:animate-breathe forced-colors:border"
      />
      <p className="text-soft">While you wait: breathe in slowly, and out a little longer.</p>
    </div>
  )
}

function PractitionerLetsIn({ room }: { room: Room }) {
  const { other, late_at, starts_at } = room
  const show = useShowRoom()
  const params = { appointment_id: room.appointment_id }
  const admit = useAction('POST /therapist/sessions/{appointment_id}/room/admit', { onDone: show })
  const late = useAction('POST /therapist/sessions/{appointment_id}/room/late', {
    onDone: (answer) => {
      show(answer)
      // The button that was pressed is gone.
      focusOnHeading()
    },
  })
  return (
    <>
      <p className="text-lg text-soft">
        {other.here && other.since ? (
          <>
            Here since <span className="tabular-nums">{clockTime(other.since)}</span>.{' '}
          </>
        ) : (
          'This page changes by itself when they come. '
        )}
        The session {beginsAt(starts_at)}.
      </p>
      <ErrorAlert error={admit.error ?? late.error} title="That did not work" />
      <div className="flex flex-wrap gap-3">
        <Button onPress={() => admit.start({ params })} isPending={admit.isPending} isDisabled={!other.here}>
          Let in
        </Button>
        {late_at === null && (
          <Button variant="secondary" onPress={() => late.start({ params })} isPending={late.isPending}>
            5 minutes late
          </Button>
        )}
      </div>
      <output className="block text-soft">
        {late_at !== null && `${other.name} reads that you are about five minutes late.`}
      </output>
    </>
  )
}
