import { useCallback, useEffect, useState } from 'react'
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
  // From what is kept by then, not at the last render: the microphone may be muted while the seat is being taken.
  const change = useCallback(
    (part: Partial<KeptDevice>) =>
      setOpened((now) => {
        const names = Object.keys(part) as (keyof KeptDevice)[]
        if (!now || names.every((name) => now.kept[name] === part[name])) return now
        const kept = { ...now.kept, ...part }
        keepDevice(appointmentId, kept)
        return { ...now, kept }
      }),
    [appointmentId],
  )
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
        change({ isMuted, isCameraOn })
      })
    })
    return () => {
      isGone = true
      stop?.()
      media?.close()
    }
  }, [appointmentId, change])
  return opened && { ...opened, change }
}
