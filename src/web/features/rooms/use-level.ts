import { useEffect, useState } from 'react'

/** How loud a microphone is, 0 to 1, ten times a second. */
export function useLevel(track: MediaStreamTrack | undefined): number {
  const [heard, setHeard] = useState<{ track: MediaStreamTrack; level: number }>()
  useEffect(() => {
    const opened = track && openAnalyser(track)
    if (!opened) return undefined
    const { context, analyser } = opened
    const samples = new Float32Array(analyser.fftSize)
    const timer = setInterval(() => {
      // Phones suspend or interrupt it, such as for a call.
      if (context.state !== 'running') void context.resume().catch(() => undefined)
      analyser.getFloatTimeDomainData(samples)
      const energy = Math.sqrt(samples.reduce((sum, each) => sum + each * each, 0) / samples.length)
      setHeard({ track, level: Math.min(1, energy * 5) })
    }, 100)
    const wake = () => void context.resume().catch(() => undefined)
    document.addEventListener('visibilitychange', wake)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', wake)
      void context.close().catch(() => undefined)
    }
  }, [track])
  return heard && heard.track === track ? heard.level : 0
}

/** Returns undefined where the browser cannot: Firefox throws for a headset of another sample rate. */
export function openAnalyser(track: MediaStreamTrack) {
  let context: AudioContext | undefined
  try {
    context = new AudioContext()
    const analyser = context.createAnalyser()
    analyser.fftSize = 512
    context.createMediaStreamSource(new MediaStream([track])).connect(analyser)
    return { context, analyser }
  } catch {
    void context?.close().catch(() => undefined)
    return undefined
  }
}
