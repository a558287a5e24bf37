import { useEffect, useState } from 'react'
import { type KeptDevice, keepDevice, openDevice } from './kept-device.ts'
import { createOwnMedia, type OwnMedia } from './own-media.ts'

export type RoomDevice = {
  kept: KeptDevice
  media: OwnMedia
  change(change: Partial<KeptDevice>): void
}

/** This device in a room, with its microphone and camera. Undefined for a moment after opening the page. */
export function useDevice(appointmentId: string): RoomDevice | undefined {
  const [opened, setOpened] = useState<{ kept: KeptDevice; media: OwnMedia }>()
  useEffect(() => {
    let isGone = false
    let media: OwnMedia | undefined
    let stop: (() => void) | undefined
    void openDevice(appointmentId).then((kept) => {
      if (isGone) return
      media = createOwnMedia({ isMuted: kept.isMuted, isCameraOn: kept.isCameraOn })
      const { store } = media
      setOpened({ kept, media })
      stop = store.subscribe(() => {
        const { isMuted, isCameraOn } = store.get()
        setOpened((now) => {
          if (!now || (now.kept.isMuted === isMuted && now.kept.isCameraOn === isCameraOn)) return now
          const next = { ...now.kept, isMuted, isCameraOn }
          keepDevice(appointmentId, next)
          return { ...now, kept: next }
        })
      })
    })
    return () => {
      isGone = true
      stop?.()
      media?.close()
    }
  }, [appointmentId])
  if (!opened) return undefined
  return {
    ...opened,
    change(change) {
      const next = { ...opened.kept, ...change }
      keepDevice(appointmentId, next)
      setOpened((now) => now && { ...now, kept: next })
    },
  }
}
