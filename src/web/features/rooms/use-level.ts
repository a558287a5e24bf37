import { useEffect, useState } from 'react'

/** Without any energy for this long a microphone is taken again, in milliseconds. */
const silentAfter = 5000

/**
 * How loud a microphone is, 0 to 1, ten times a second.
 * @param onDead called once when it gives nothing at all, not even noise, for five seconds
 */
export function useLevel(track: MediaStreamTrack | undefined, onDead?: () => void): number {
  const [heard, setHeard] = useState<{ track: MediaStreamTrack; level: number }>()
  useEffect(() => {
    if (!track) return undefined
    const context = new AudioContext()
    const analyser = context.createAnalyser()
    analyser.fftSize = 512
    context.createMediaStreamSource(new MediaStream([track])).connect(analyser)
    const samples = new Float32Array(analyser.fftSize)
    let silentSince = Date.now()
    let isTold = false
    const timer = setInterval(() => {
      if (context.state === 'suspended') void context.resume().catch(() => undefined)
      analyser.getFloatTimeDomainData(samples)
      const energy = Math.sqrt(samples.reduce((sum, each) => sum + each * each, 0) / samples.length)
      if (energy > 0 || context.state !== 'running') silentSince = Date.now()
      else if (!isTold && Date.now() - silentSince > silentAfter) {
        isTold = true
        onDead?.()
      }
      setHeard({ track, level: Math.min(1, energy * 5) })
    }, 100)
    const wake = () => void context.resume().catch(() => undefined)
    document.addEventListener('visibilitychange', wake)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', wake)
      void context.close().catch(() => undefined)
    }
  }, [track, onDead])
  return heard && heard.track === track ? heard.level : 0
}
