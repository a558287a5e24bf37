import { IconUser } from '@tabler/icons-react'
import { classes } from '#web/ui/classes.ts'
import type { OwnMedia } from './own-media.ts'
import { Picture } from './RoomMedia.tsx'
import { useStore } from './store.ts'

/** The own picture, or that the camera is off. */
export function OwnPreview({ media, className }: { media: OwnMedia; className?: string }) {
  const { camera, isCameraOn, isAsking } = useStore(media.store)
  return (
    <div
      className={classes(
        'relative grid place-items-center overflow-hidden border border-line bg-sunken text-soft',
        className,
      )}
    >
      {camera ? (
        <Picture
          track={camera}
          label="Your picture"
          isOwn
          className="absolute inset-0 size-full object-cover"
        />
      ) : (
        <p className="flex flex-col items-center gap-1 p-2 text-center text-sm">
          <IconUser aria-hidden size={28} />
          {isAsking && isCameraOn ? 'Your camera is starting' : 'Your camera is off'}
        </p>
      )}
    </div>
  )
}
