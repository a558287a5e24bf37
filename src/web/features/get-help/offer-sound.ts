import { useSyncExternalStore } from 'react'
import { createListeners } from '#web/lib/listeners.ts'

/*
 * The sound of a request for help. Browsers play none before the first touch of the page. A practitioner may switch it
 * off.
 */

const storageKey = 'helpSound'
const listeners = createListeners()
let context: AudioContext | undefined

/** Whether this browser plays the sound; on until the practitioner switches it off. */
export function useOfferSound(): [isOn: boolean, turn: (isOn: boolean) => void] {
  const isOn = useSyncExternalStore(listeners.add, isSoundOn, () => true)
  return [isOn, turn]
}

/** Unlocks the sound on the first touch, or at once after an earlier one. Returns the function that stops listening. */
export function awaitTouch(): () => void {
  const signs = ['pointerdown', 'keydown'] as const
  const unlock = () => {
    context ??= new AudioContext()
    void context.resume().catch(() => undefined)
    stop()
  }
  const stop = () => {
    for (const sign of signs) removeEventListener(sign, unlock)
  }
  if (navigator.userActivation?.hasBeenActive) unlock()
  else for (const sign of signs) addEventListener(sign, unlock, { passive: true })
  return stop
}

/** Plays two soft notes, if the sound is on and the browser allows it. Returns whether it played. */
export function playOfferSound(): boolean {
  if (!isSoundOn() || context?.state !== 'running') return false
  note(context, 587.33, 0)
  note(context, 880, 0.22)
  return true
}

/** Hertz; seconds from now. */
function note(audio: AudioContext, frequency: number, after: number): void {
  const start = audio.currentTime + after
  const tone = audio.createOscillator()
  const volume = audio.createGain()
  tone.frequency.value = frequency
  volume.gain.setValueAtTime(0, start)
  volume.gain.linearRampToValueAtTime(0.2, start + 0.03)
  volume.gain.exponentialRampToValueAtTime(0.001, start + 0.9)
  tone.connect(volume).connect(audio.destination)
  tone.start(start)
  tone.stop(start + 1)
}

function isSoundOn(): boolean {
  try {
    return localStorage.getItem(storageKey) !== 'off'
  } catch {
    return true
  }
}

function turn(isOn: boolean): void {
  try {
    if (isOn) localStorage.removeItem(storageKey)
    else localStorage.setItem(storageKey, 'off')
  } catch {
    // Without storage it stays on.
  }
  listeners.call()
}
