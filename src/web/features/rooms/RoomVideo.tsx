import { useEffect, useMemo, useRef } from 'react'
import { classes } from '#web/ui/classes.ts'

type Props = {
  stream: MediaStream | undefined
  label: string
  /** The own picture: without sound, and as in a mirror. */
  isOwn?: boolean
  speakerId?: string
  onBlocked?(retry: () => void): void
  className?: string
}

type WithSink = HTMLVideoElement & { setSinkId?(id: string): Promise<void> }

/** Picture and sound of one person. */
export function RoomVideo({ stream, label, isOwn = false, speakerId, onBlocked, className }: Props) {
  const video = useRef<HTMLVideoElement>(null)
  useEffect(() => {
    const element = video.current
    if (!element) return
    element.srcObject = stream ?? null
    if (!stream) return
    element.play().catch((error: unknown) => {
      if (error instanceof Error && error.name === 'NotAllowedError') onBlocked?.(() => void element.play())
    })
  }, [stream, onBlocked])
  // Phones pause it for a call or in the background.
  useEffect(() => {
    const goOn = () => {
      const element = video.current
      if (document.visibilityState === 'visible' && element?.srcObject && element.paused) {
        void element.play().catch(() => undefined)
      }
    }
    document.addEventListener('visibilitychange', goOn)
    return () => document.removeEventListener('visibilitychange', goOn)
  }, [])
  useEffect(() => {
    const element: WithSink | null = video.current
    if (speakerId) void element?.setSinkId?.(speakerId).catch(() => undefined)
  }, [speakerId])
  return (
    // oxlint-disable-next-line jsx-a11y/media-has-caption -- a conversation as it happens
    <video
      ref={video}
      aria-label={label}
      autoPlay
      playsInline
      muted={isOwn}
      className={classes(className, isOwn && '-scale-x-100')}
    />
  )
}

/** A stream of one track, which stays the same for the same track. */
export function useTrackStream(track: MediaStreamTrack | undefined): MediaStream | undefined {
  return useMemo(() => track && new MediaStream([track]), [track])
}
