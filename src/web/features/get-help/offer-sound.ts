import { useSyncExternalStore } from 'react'
import { createListeners } from '#web/lib/listeners.ts'

/*
 * The sound of a request for help. Browsers play none before the first touch of the page. A practitioner may switch it
 * off.
 */

const storageKey = 'helpSound'
const listeners = createListeners()
let context: AudioContext | undefined
let isKeptBack = false

/** Whether this browser plays the sound; on until the practitioner switches it off. */
export function useOfferSound(): [isOn: boolean, turn: (isOn: boolean) => void] {
  const isOn = useSyncExternalStore(listeners.add, isSoundOn, () => true)
  return [isOn, turn]
}

/** Whether the browser kept the last sound back, which a touch or a key ends. */
export function useIsSoundKeptBack(): boolean {
  return useSyncExternalStore(
    listeners.add,
    () => isKeptBack && isSoundOn(),
    () => false,
  )
}

/** A touch counts for a browser when it ends. */
const signs = ['pointerup', 'touchend', 'keydown'] as const

/**
 * Unlocks the sound on the first touch, or at once after an earlier one, and again after a phone has suspended it, such
 * as for a locked screen. Returns the function that stops listening.
 */
export function awaitTouch(): () => void {
  // On their way down, since the kit of dialogs and buttons stops some of them.
  const options = { passive: true, capture: true }
  for (const sign of signs) addEventListener(sign, unlock, options)
  document.addEventListener('visibilitychange', resume)
  if (navigator.userActivation?.hasBeenActive) unlock()
  return () => {
    for (const sign of signs) removeEventListener(sign, unlock, options)
    document.removeEventListener('visibilitychange', resume)
  }
}

function unlock(): void {
  // A context that an iPhone has interrupted may never resume.
  if (context?.state === 'interrupted') {
    void context.close().catch(() => undefined)
    context = undefined
  }
  context ??= openContext()
  resume()
}

/** Returns undefined where the browser opens none. */
function openContext(): AudioContext | undefined {
  try {
    const opened = new AudioContext()
    opened.addEventListener('statechange', () => {
      if (opened.state === 'running') keepBack(false)
    })
    return opened
  } catch {
    return undefined
  }
}

function resume(): void {
  if (context && context.state !== 'running') void context.resume().catch(() => undefined)
}

/** Plays two soft notes, if the sound is on and the browser allows it. Returns whether it played. */
export function playOfferSound(): boolean {
  if (!isSoundOn()) return false
  keepBack(context?.state !== 'running')
  if (!context || isKeptBack) return false
  note(context, 587.33, 0)
  note(context, 880, 0.22)
  return true
}

function keepBack(isKept: boolean): void {
  isKeptBack = isKept
  listeners.call()
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
