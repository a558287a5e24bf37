import {
  IconAlertTriangle,
  IconArrowsMove,
  IconLifebuoy,
  IconMicrophoneOff,
  IconPhoneOff,
  IconSettings,
  IconShieldCheck,
} from '@tabler/icons-react'
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
import type { Room } from '#contract/rooms/rooms.ts'
import { announce } from '#web/lib/announce.ts'
import { serverNow } from '#web/lib/clock.ts'
import { focusLate } from '#web/lib/focus-late.ts'
import { useRenderAt } from '#web/lib/use-render-at.ts'
import { Alert } from '#web/ui/Alert.tsx'
import { Button } from '#web/ui/Button.tsx'
import { classes } from '#web/ui/classes.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { IconButton } from '#web/ui/IconButton.tsx'
import { Portrait } from '#web/ui/Portrait.tsx'
import { Spinner } from '#web/ui/Spinner.tsx'
import { TechnicalFailure } from '#web/ui/TechnicalFailure.tsx'
import { ChatDrawer } from './ChatDrawer.tsx'
import { DevicePicker, MediaProblems } from './DevicePicker.tsx'
import { LeaveDialog } from './LeaveDialog.tsx'
import { OwnControls, RoomButton } from './OwnControls.tsx'
import { NobodyCameAlert } from './NobodyCameAlert.tsx'
import type { OwnMedia } from './own-media.ts'
import { OwnLinkOffered } from './OwnLink.tsx'
import { OwnPreview } from './OwnPreview.tsx'
import { useConnectionNews, useMuteNews } from './call-news.ts'
import type { CallState } from './call-types.ts'
import type { RoomCall } from './room-call.ts'
import type { RoomParts } from './room-parts.ts'
import { Picture, Sound } from './RoomMedia.tsx'
import { nextTimeLeftAt, timeLeftLabel } from './room-screen.ts'
import { createStore, useStore } from './store.ts'
import { TroubleDialog } from './TroubleDialog.tsx'
import { useBlockedSound } from './use-blocked-sound.ts'
import { LostAlert } from './WaitingScreen.tsx'

type Props = RoomParts & {
  room: Room
  media: OwnMedia
  /** Undefined while the other one has no seat. */
  call: RoomCall | undefined
  isLost: boolean
  /** Connects without the relay; undefined where the client may not, or has chosen it. */
  onDirect: (() => void) | undefined
  onLeave(): void
}

type Drawer = 'words' | 'devices' | 'trouble' | 'failure' | 'leave'

/** The two see and hear each other. */
export function SessionScreen({
  room,
  media,
  call,
  isLost,
  onDirect,
  onLeave,
  emergency,
  chat,
  unread,
}: Props) {
  const state = useCallState(call)
  const [drawer, setDrawer] = useState<Drawer>()
  const { other, you } = room
  const name = other.name
  // A device that goes without leaving keeps its place.
  const isAway = !other.here && state?.phase !== 'connected'
  useConnectionNews(state, name)
  useMuteNews(state, name)
  useEffect(() => {
    if (isAway) announce(`${name} is not in the room just now.`)
  }, [isAway, name])
  const closeDrawer = () => setDrawer(undefined)
  const heading = useRef<HTMLHeadingElement>(null)
  const alerts = useRef<HTMLDivElement>(null)
  const turnCameraOn = () => {
    void media.setCamera(true).then(() => {
      if (media.store.get().camera) announce('Your camera is on again.')
      // The button goes with its warning.
      focusLate(heading.current, alerts.current)
    })
  }
  return (
    // The emergency numbers are behind "Trouble?", so that no line takes room from the picture.
    <section data-emergency aria-label={`Session with ${name}`} className="flex min-h-0 grow flex-col">
      <h1 ref={heading} tabIndex={-1} className="sr-only">
        Your session with {name}
      </h1>
      <div ref={alerts} className="flex flex-col gap-2 empty:hidden sm:px-4">
        {isLost && state?.phase !== 'connected' && <LostAlert />}
        {state?.isWeak && (
          <Alert
            tone="warning"
            live="polite"
            title="Your connection is weak. Your voice goes on."
            actions={
              <Button size="small" variant="secondary" onPress={turnCameraOn}>
                Turn camera back on
              </Button>
            }
          />
        )}
        <OwnLinkOffered room={room} media={media} />
        <NobodyCameAlert room={room} />
        <DeviceTrouble media={media} onOpen={() => setDrawer('devices')} />
      </div>
      <Stage room={room} media={media} state={state} isAway={isAway} heading={heading} />
      <div className="flex flex-wrap items-start justify-center gap-x-1 gap-y-1 border-t border-line bg-paper px-2 pt-2 pb-2 sm:gap-x-4">
        <OwnControls media={media} />
        {chat && <ChatDrawer name={name} chat={chat} unread={unread} look="control" />}
        <RoomButton label="Words" onPress={() => setDrawer('words')}>
          <IconShieldCheck aria-hidden size={24} />
        </RoomButton>
        <RoomButton label="Devices" onPress={() => setDrawer('devices')}>
          <IconSettings aria-hidden size={24} />
        </RoomButton>
        <RoomButton label="Trouble?" onPress={() => setDrawer('trouble')}>
          <IconLifebuoy aria-hidden size={24} />
        </RoomButton>
        <RoomButton label="Leave" isDanger onPress={() => setDrawer('leave')}>
          <IconPhoneOff aria-hidden size={24} />
        </RoomButton>
      </div>
      <Dialog
        isOpen={drawer === 'words'}
        onClose={closeDrawer}
        title="Four words"
        footer={<Button onPress={closeDrawer}>Close</Button>}
      >
        <Words words={state?.words} areMissing={state?.areWordsMissing === true} name={name} />
      </Dialog>
      <Dialog
        isOpen={drawer === 'devices'}
        onClose={closeDrawer}
        title="Microphone, camera and speaker"
        footer={<Button onPress={closeDrawer}>Done</Button>}
      >
        <div className="flex flex-col gap-4">
          <MediaProblems media={media} />
          <DevicePicker media={media} />
        </div>
      </Dialog>
      <TroubleDialog
        isOpen={drawer === 'trouble'}
        onClose={closeDrawer}
        room={room}
        media={media}
        emergency={emergency}
        onDirect={
          onDirect &&
          (() => {
            closeDrawer()
            onDirect()
          })
        }
        onFailure={() => setDrawer('failure')}
      />
      {drawer === 'failure' && (
        <TechnicalFailure appointmentId={room.appointment_id} clientName={name} onClose={closeDrawer} />
      )}
      <LeaveDialog
        isOpen={drawer === 'leave'}
        onClose={closeDrawer}
        room={room}
        canDecide={you === 'practitioner'}
        onLeave={onLeave}
      />
    </section>
  )
}

/** In a line, since the other person's picture needs the room; the rest is in the drawer. */
function DeviceTrouble({ media, onOpen }: { media: OwnMedia; onOpen(): void }) {
  const { microphoneProblem, cameraProblem, isCameraOn } = useStore(media.store)
  const lost = [
    microphoneProblem && 'microphone',
    isCameraOn && cameraProblem && cameraProblem !== 'kept' && 'camera',
  ].filter(Boolean)
  const words = lost.length > 0 && `Your ${lost.join(' and ')} ${lost.length > 1 ? 'do' : 'does'} not work`
  useEffect(() => {
    if (words) announce(`${words}.`)
  }, [words])
  return (
    words && (
      <div className="flex justify-center px-2">
        <Button size="small" variant="secondary" onPress={onOpen}>
          <IconAlertTriangle aria-hidden size={18} className="text-warning" />
          {words}
        </Button>
      </div>
    )
  )
}

const noCall = createStore<Partial<CallState>>({})

function useCallState(call: RoomCall | undefined): CallState | undefined {
  const state = useStore<CallState>((call?.store ?? noCall) as RoomCall['store'])
  return call && state
}

type StageProps = {
  room: Room
  media: OwnMedia
  state: CallState | undefined
  isAway: boolean
  /** Takes the focus of a button that goes. */
  heading: RefObject<HTMLElement | null>
}

function Stage({ room, media, state, isAway, heading }: StageProps) {
  const { speakerId, isMuted, microphone } = useStore(media.store)
  const { name, image } = room.other
  const soundButton = useRef<HTMLDivElement>(null)
  const { retrySound, onBlocked } = useBlockedSound(name, () =>
    focusLate(heading.current, soundButton.current),
  )
  const isConnected = state?.phase === 'connected'
  const isSeen = isConnected && state.other?.hasCamera === true
  return (
    <div className="relative min-h-40 grow overflow-hidden bg-sunken sm:mx-4 sm:mt-2 sm:mb-2 sm:rounded-xl">
      <Picture
        track={state?.picture}
        label={`Picture of ${name}`}
        className={classes('absolute inset-0 size-full object-contain', !isSeen && 'invisible')}
      />
      <Sound track={state?.sound} speakerId={speakerId} microphone={microphone} onBlocked={onBlocked} />
      {!isSeen && (
        <div className="absolute inset-0 grid place-items-center p-4">
          <div className="flex max-w-sm flex-col items-center gap-3 text-center">
            <Portrait name={name} image={image} size={112} shape="arch" />
            <p className="text-xl font-semibold">{name}</p>
            <p className="flex items-center gap-3 text-soft">
              <Connecting name={name} state={state} isAway={isAway} />
            </p>
          </div>
        </div>
      )}
      <div className="absolute inset-x-3 top-3 flex flex-wrap items-start gap-2">
        <TimeLeft endsAt={room.ends_at} />
        {isConnected && state.other?.isMuted && (
          <Badge>
            <IconMicrophoneOff aria-hidden size={18} /> {name} is muted
          </Badge>
        )}
        {(isMuted || !microphone) && (
          <Badge>
            <IconMicrophoneOff aria-hidden size={18} /> You are muted
          </Badge>
        )}
      </div>
      {retrySound && (
        <div ref={soundButton} className="absolute inset-x-0 bottom-4 grid place-items-center">
          <Button onPress={retrySound}>Turn the sound on</Button>
        </div>
      )}
      {/* On a phone it would lie over the way out of a call that was ended. */}
      {!state?.isTampered && <MovablePreview media={media} />}
    </div>
  )
}

function Badge({ children }: { children: ReactNode }) {
  return (
    <span className="inline-flex items-center gap-1.5 rounded-full border border-line bg-raised px-3 py-1 text-sm">
      {children}
    </span>
  )
}

function Connecting({ name, state, isAway }: Pick<StageProps, 'state' | 'isAway'> & { name: string }) {
  if (state?.isTampered) {
    return (
      <span className="flex flex-col items-center gap-3">
        <span role="alert">
          We have ended this connection: it could not be shown to be between the two of you alone.
        </span>
        <Button size="small" variant="secondary" onPress={() => location.reload()}>
          Reload the page to try again
        </Button>
      </span>
    )
  }
  if (isAway) return <span>{name} is not in the room just now</span>
  if (!state) return <span>{name} is coming in</span>
  if (state.phase === 'connected')
    return <span>{state.other ? `${name}’s camera is off` : 'You are connected'}</span>
  return (
    <>
      <Spinner label="Please wait" />
      <span>
        {state.phase === 'reconnecting' ? 'Reconnecting…' : 'Connecting…'}
        {state.isRelayDown &&
          ' The relay does not answer from here. Another network may help, or press “Trouble?” for other ways.'}
        {!state.isRelayDown &&
          state.isSlow &&
          ' It takes longer than it should. Press “Trouble?” for other ways.'}
      </span>
    </>
  )
}

const corners = [
  { look: 'bottom-3 right-3', name: 'bottom right' },
  { look: 'bottom-3 left-3', name: 'bottom left' },
  { look: 'top-14 left-3', name: 'top left' },
  { look: 'top-14 right-3', name: 'top right' },
] as const

/** The own picture, which a button puts into another corner. */
function MovablePreview({ media }: { media: OwnMedia }) {
  const [index, setIndex] = useState(0)
  const corner = corners[index] ?? corners[0]
  const next = (index + 1) % corners.length
  return (
    <div className={classes('absolute w-28 sm:w-44', corner.look)}>
      <OwnPreview media={media} isSmall className="aspect-[4/3] rounded-lg shadow-high" />
      <IconButton
        label="Move your picture to another corner"
        onPress={() => {
          setIndex(next)
          announce(`Your picture is at the ${corners[next]?.name}.`)
        }}
        className="absolute! right-0 bottom-0 bg-raised/80"
      >
        <IconArrowsMove aria-hidden size={18} />
      </IconButton>
    </div>
  )
}

function TimeLeft({ endsAt }: { endsAt: string }) {
  useRenderAt(nextTimeLeftAt(endsAt, serverNow()))
  const label = timeLeftLabel(endsAt, serverNow())
  return <output>{label && <Badge>{label}</Badge>}</output>
}

type WordsProps = { words: readonly string[] | undefined; areMissing: boolean; name: string }

function Words({ words, areMissing, name }: WordsProps) {
  if (!words && areMissing) {
    return (
      <p>
        The words could not be made for this connection, so there is nothing to compare. Picture and sound are
        encrypted all the same. Reload the page to try again.
      </p>
    )
  }
  if (!words) return <p>The words appear here once you are connected.</p>
  return (
    <div className="flex flex-col gap-4">
      <p>
        {name} sees four words, too. Compare them once if you like: if they are the same, only your two
        devices take part in this connection.
      </p>
      <ol aria-label="Your four words" className="grid grid-cols-2 gap-2">
        {words.map((word, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- a word may come twice
          <li key={index} className="rounded-lg bg-action-soft px-4 py-3 text-center font-serif text-xl">
            {word}
          </li>
        ))}
      </ol>
      <p className="text-sm text-soft">
        If they differ, leave the room and reach each other in another way. The words do not show that the
        pages of Hearth themselves are honest.
      </p>
    </div>
  )
}
