import { useState, type ReactNode } from 'react'
import type { Room } from '#contract/rooms/rooms.ts'
import { useAction } from '#web/lib/use-action.ts'
import { Alert } from '#web/ui/Alert.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Checkbox } from '#web/ui/Checkbox.tsx'
import { ErrorAlert } from '#web/ui/ErrorAlert.tsx'
import { DevicePicker, MediaProblems } from './DevicePicker.tsx'
import { measureLoop, networkLabel } from './network-check.ts'
import { OwnControls } from './OwnControls.tsx'
import type { OwnMedia } from './own-media.ts'
import { OwnPreview } from './OwnPreview.tsx'
import { isInstalledOnPhone } from './installed.ts'
import { beforeJoiningLabel, clockTime } from './room-labels.ts'
import { useStore } from './store.ts'

type Props = {
  room: Room
  media: OwnMedia
  isDirect: boolean
  onDirect(isDirect: boolean): void
  onJoin(): void
  isJoining: boolean
  error: unknown
  emergency: ReactNode
}

/** Camera, microphone and network before joining. */
export function CheckScreen({ room, media, isDirect, onDirect, onJoin, isJoining, error, emergency }: Props) {
  const { camera, isCameraOn, microphoneProblem } = useStore(media.store)
  const missing = [!(camera && isCameraOn) && 'camera', microphoneProblem && 'microphone'].filter(Boolean)
  const { other, starts_at, ends_at, seat, ice } = room
  return (
    <div className="relative min-h-0 grow overflow-y-auto">
      <div className="page grid grid-cols-1 gap-6 py-6 lg:grid-cols-[3fr_2fr] lg:gap-x-10">
        <div className="lg:col-span-2">
          <h1 className="text-3xl">Your session with {other.name}</h1>
          <p className="mt-1 text-lg text-soft tabular-nums">
            {clockTime(starts_at)} to {clockTime(ends_at)}. See that everything works, then go in.
          </p>
        </div>
        <section aria-label="Your picture and sound" className="flex flex-col gap-4">
          <OwnPreview media={media} className="aspect-video w-full rounded-xl" />
          <div className="flex justify-center gap-3">
            <OwnControls media={media} />
          </div>
          <MediaProblems media={media} />
        </section>
        <div className="flex flex-col gap-5">
          {isInstalledOnPhone() && (
            <Alert tone="warning" title="Keep Hearth on your screen">
              While you use another app, your phone turns your microphone off.
            </Alert>
          )}
          {ice && <NetworkNote ice={ice} you={room.you} isDirect={isDirect} onDirect={onDirect} />}
          {seat && (
            <Alert title="You are in this room on another device">
              If you join here, the session goes on here.
            </Alert>
          )}
          <ErrorAlert error={error} title="You are not in the room yet" />
          <Button onPress={onJoin} isPending={isJoining} fullWidth>
            {missing.length > 0 ? `Join without ${missing.join(' or ')}` : 'Join'}
          </Button>
          <p className="text-sm text-soft">{beforeJoiningLabel(room)}</p>
          <DevicePicker media={media} />
          {emergency}
        </div>
      </div>
    </div>
  )
}

type NoteProps = {
  ice: NonNullable<Room['ice']>
  you: Room['you']
  isDirect: boolean
  onDirect(isDirect: boolean): void
}

function NetworkNote({ ice, you, isDirect, onDirect }: NoteProps) {
  const [wasAsked, setAsked] = useState(false)
  const check = useAction(() => measureLoop(ice.servers))
  if (!ice.has_relay) {
    return (
      <p className="text-sm text-soft">
        {you === 'client'
          ? 'The two of you connect directly, so your practitioner’s device learns the internet address of yours.'
          : 'The two of you connect directly, which fails between many home networks. Have another way to reach each other ready.'}
      </p>
    )
  }
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center gap-3">
        <Button
          variant="secondary"
          size="small"
          isPending={check.isPending}
          onPress={() => {
            setAsked(true)
            check.start()
          }}
        >
          Check your connection
        </Button>
        <output className="text-sm text-soft">
          {wasAsked && check.answer && networkLabel(check.answer).text}
          {wasAsked && check.error !== undefined && 'We could not check it from here. You can still join.'}
        </output>
      </div>
      {you === 'client' && ice.relay_only && ice.may_go_direct && (
        <Checkbox
          checked={isDirect}
          onChange={({ currentTarget }) => onDirect(currentTarget.checked)}
          description="For when the connection fails otherwise. Your two devices then learn each other’s internet address."
        >
          Connect directly
        </Checkbox>
      )}
    </div>
  )
}
