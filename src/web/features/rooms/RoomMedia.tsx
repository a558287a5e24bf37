import { useEffect, useRef } from 'react'
import { classes } from '#web/ui/classes.ts'

type PictureProps = {
  track: MediaStreamTrack | undefined
  label: string
  /** As in a mirror. */
  isOwn?: boolean
  className?: string
}

/** The picture of one person. */
export function Picture({ track, label, isOwn = false, className }: PictureProps) {
  const video = usePlayed<HTMLVideoElement>(track)
  return (
    <video
      ref={video}
      aria-label={label}
      autoPlay
      playsInline
      muted
      className={classes(className, isOwn && '-scale-x-100')}
    />
  )
}

type SoundProps = {
  track: MediaStreamTrack | undefined
  speakerId: string | undefined
  /** The browser plays nothing before a press of a button: `retry` is for that. Undefined once it plays. */
  onBlocked(retry: (() => void) | undefined): void
}

type WithSink = HTMLAudioElement & { setSinkId?(id: string): Promise<void> }

/** The voice of the other. Apart from the picture: a video element is silent until its first picture is there. */
export function Sound({ track, speakerId, onBlocked }: SoundProps) {
  const audio = usePlayed<WithSink>(track, onBlocked)
  useEffect(() => {
    // Without a name it is the device's own.
    void audio.current?.setSinkId?.(speakerId ?? '').catch(() => undefined)
  }, [audio, speakerId])
  // oxlint-disable-next-line jsx-a11y/media-has-caption -- a conversation as it happens
  return <audio ref={audio} autoPlay />
}

/** Plays a track in an element. Returns the element's ref. */
function usePlayed<E extends HTMLMediaElement>(
  track: MediaStreamTrack | undefined,
  onBlocked?: SoundProps['onBlocked'],
) {
  const media = useRef<E>(null)
  useEffect(() => {
    const element = media.current
    if (!element || !track) return undefined
    element.srcObject = new MediaStream([track])
    const play = () => {
      element.play().then(
        () => onBlocked?.(undefined),
        (error: unknown) => {
          if (error instanceof Error && error.name === 'NotAllowedError') onBlocked?.(play)
        },
      )
    }
    play()
    return () => {
      // An element that is removed with its stream still consumes it. After every second one Chromium gives the next
      // connection no frame of the camera for about two seconds.
      element.srcObject = null
    }
  }, [track, onBlocked])
  // Phones pause it for a call or in the background.
  useEffect(() => {
    const goOn = () => {
      const element = media.current
      if (document.visibilityState === 'visible' && element?.srcObject && element.paused) {
        void element.play().catch(() => undefined)
      }
    }
    document.addEventListener('visibilitychange', goOn)
    return () => document.removeEventListener('visibilitychange', goOn)
  }, [])
  return media
}
