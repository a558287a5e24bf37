import { useEffect, useRef } from 'react'
import { classes } from '#web/ui/classes.ts'
import { keepPlaying, type OnBlocked } from './keep-playing.ts'

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
  /** The own one. A voice that was paused goes on once it was taken again. */
  microphone: MediaStreamTrack | undefined
  onBlocked: OnBlocked
}

type WithSink = HTMLAudioElement & { setSinkId?(id: string): Promise<void> }

/** The voice of the other. Apart from the picture: a video element is silent until its first picture is there. */
export function Sound({ track, speakerId, microphone, onBlocked }: SoundProps) {
  const audio = usePlayed<WithSink>(track, onBlocked, microphone)
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
  onBlocked?: OnBlocked,
  microphone?: MediaStreamTrack,
) {
  const media = useRef<E>(null)
  const goOn = useRef<() => void>(undefined)
  useEffect(() => {
    const element = media.current
    if (!element || !track) return undefined
    element.srcObject = new MediaStream([track])
    const kept = keepPlaying(element, track, onBlocked)
    goOn.current = kept.goOn
    return () => {
      goOn.current = undefined
      kept.stop()
      // An element that is removed with its stream still consumes it. After every second one Chromium gives the next
      // connection no frame of the camera for about two seconds.
      element.srcObject = null
    }
  }, [track, onBlocked])
  // A page that records may play without a press of a button: an iPhone allows it once the microphone is back.
  useEffect(() => {
    if (microphone) goOn.current?.()
  }, [microphone])
  return media
}
