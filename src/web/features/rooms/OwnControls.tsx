import { IconMicrophone, IconMicrophoneOff, IconVideo, IconVideoOff } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { classes } from '#web/ui/classes.ts'
import type { OwnMedia } from './own-media.ts'
import { useStore } from './store.ts'

/** Microphone and camera on and off. */
export function OwnControls({ media }: { media: OwnMedia }) {
  const { isMuted, isCameraOn, microphone, camera } = useStore(media.store)
  const isHeard = microphone !== undefined && !isMuted
  const isSeen = camera !== undefined && isCameraOn
  return (
    <>
      <RoomButton
        label={isHeard ? 'Mute' : 'Unmute'}
        isOff={!isHeard}
        onPress={() => {
          if (microphone) media.setMuted(!isMuted)
          else {
            media.setMuted(false)
            void media.retry('microphone')
          }
        }}
      >
        {isHeard ? <IconMicrophone aria-hidden size={24} /> : <IconMicrophoneOff aria-hidden size={24} />}
      </RoomButton>
      <RoomButton
        label={isSeen ? 'Camera off' : 'Camera on'}
        isOff={!isSeen}
        onPress={() => void media.setCamera(!isSeen)}
      >
        {isSeen ? <IconVideo aria-hidden size={24} /> : <IconVideoOff aria-hidden size={24} />}
      </RoomButton>
    </>
  )
}

type ButtonProps = {
  label: string
  children: ReactNode
  /** At its corner. */
  mark?: ReactNode
  isOff?: boolean
  isDanger?: boolean
  onPress(): void
}

/** A round button with its name below. */
export function RoomButton({ label, children, mark, isOff = false, isDanger = false, onPress }: ButtonProps) {
  return (
    <button
      type="button"
      onClick={({ currentTarget }) => {
        currentTarget.focus()
        onPress()
      }}
      className="group target relative flex min-w-15 flex-col items-center gap-1 rounded-md px-1 py-1 text-xs text-soft hover:text-ink"
    >
      <span
        className={classes(
          'grid size-12 place-items-center rounded-full border-[1.5px] transition-colors',
          isDanger
            ? 'border-transparent bg-danger text-on-danger group-hover:bg-danger-strong'
            : isOff
              ? 'border-edge bg-warning-soft text-warning'
              : 'border-edge bg-surface text-ink group-hover:border-ink',
        )}
      >
        {children}
      </span>
      <span className="whitespace-nowrap">{label}</span>
      {mark && <span className="absolute top-0 right-1.5">{mark}</span>}
    </button>
  )
}
