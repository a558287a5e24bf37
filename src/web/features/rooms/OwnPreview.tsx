import { IconUser } from '@tabler/icons-react'
import { classes } from '#web/ui/classes.ts'
import type { OwnMedia } from './own-media.ts'
import { Picture } from './RoomMedia.tsx'
import { useStore } from './store.ts'

type Props = {
  media: OwnMedia
  /** It lies over the other's picture, with a button in its lower right corner. */
  isSmall?: boolean
  className?: string
}

/** The own picture, or that the camera is off. */
export function OwnPreview({ media, isSmall = false, className }: Props) {
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
        <p
          className={
            isSmall
              ? 'absolute inset-x-2 top-2 text-xs'
              : 'flex flex-col items-center gap-1 p-2 text-center text-sm'
          }
        >
          {!isSmall && <IconUser aria-hidden size={28} />}
          {isAsking && isCameraOn ? 'Your camera is starting' : 'Your camera is off'}
        </p>
      )}
    </div>
  )
}
