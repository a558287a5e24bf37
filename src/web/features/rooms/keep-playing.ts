/** The browser plays nothing before a press of a button: `retry` is for that. Undefined once it plays. */
export type OnBlocked = (retry: (() => void) | undefined) => void

/** Plays a track in an element, and again after a phone or the browser has paused it. */
export function keepPlaying(element: HTMLMediaElement, track: MediaStreamTrack, onBlocked?: OnBlocked) {
  const play = () => {
    element.play().then(
      () => onBlocked?.(undefined),
      (error: unknown) => {
        if (error instanceof Error && error.name === 'NotAllowedError') onBlocked?.(play)
      },
    )
  }
  /** Plays once more if the element is paused and the page is seen. */
  const goOn = () => {
    if (document.visibilityState === 'visible' && element.paused && track.readyState === 'live') play()
  }
  play()
  // Phones pause it for a call or in the background; a short interruption leaves the page visible.
  element.addEventListener('pause', goOn)
  document.addEventListener('visibilitychange', goOn)
  return {
    goOn,
    stop(): void {
      element.removeEventListener('pause', goOn)
      document.removeEventListener('visibilitychange', goOn)
    },
  }
}
