import { IconX } from '@tabler/icons-react'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { useAnnouncements } from '../lib/announce.ts'
import { ApiError } from '../lib/api-error.ts'
import { createListeners } from '../lib/listeners.ts'
import { IconButton } from './IconButton.tsx'
import { Alert, type AlertTone } from './Alert.tsx'

type Toast = { id: number; tone: AlertTone; text: string }

/** Long enough to read twice; errors stay until they are closed. */
const shownMilliseconds = 8000

let toasts: readonly Toast[] = []
let lastId = 0
const listeners = createListeners()

/** Shows a short message without moving the focus. For what the reader must act on, use an `Alert` in place. */
export function showToast(text: string, tone: AlertTone = 'success'): void {
  change([...toasts, { id: ++lastId, tone, text }])
}

/** Says that an action found another state than the page showed: what was pressed leaves the page as it is read again. */
export function showIfChangedElsewhere(error: unknown): void {
  if (error instanceof ApiError && error.code === 'changed_elsewhere') showToast(error.message, 'info')
}

function change(next: readonly Toast[]): void {
  toasts = next
  listeners.call()
}

const none: readonly Toast[] = []

/**
 * Where toasts appear and announcements are read out; one per document, in the frame. The regions are there from the
 * start, so that a screen reader listens to them, and above every dialog, which hides the rest of the page from it. At the
 * top where a message is written at the bottom.
 */
export function ToastRegion() {
  const shown = useSyncExternalStore(
    listeners.add,
    () => toasts,
    () => none,
  )
  const announcements = useAnnouncements()
  return (
    <div data-react-aria-top-layer>
      <section
        aria-label="Messages"
        aria-live="polite"
        aria-relevant="additions"
        className="pointer-events-none fixed inset-x-0 bottom-0 z-50 flex flex-col items-center gap-3 p-4 [:root:has([data-composer])_&]:top-0 [:root:has([data-composer])_&]:bottom-auto"
      >
        {shown.map((toast) => (
          <ToastItem key={toast.id} {...toast} />
        ))}
      </section>
      <div role="log" aria-label="Just now" className="sr-only">
        {announcements.map(({ id, text }) => (
          <p key={id}>{text}</p>
        ))}
      </div>
    </div>
  )
}

function ToastItem({ id, tone, text }: Toast) {
  const [isHeld, setHeld] = useState(false)
  const close = () => change(toasts.filter((toast) => toast.id !== id))
  useEffect(() => {
    if (isHeld || tone === 'danger') return undefined
    const timer = setTimeout(() => change(toasts.filter((toast) => toast.id !== id)), shownMilliseconds)
    return () => clearTimeout(timer)
  }, [id, tone, isHeld])
  return (
    <div
      className="pointer-events-auto relative w-full max-w-md animate-rise rounded-lg bg-raised shadow-high"
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <Alert tone={tone} className="items-center pr-14">
        {text}
      </Alert>
      <IconButton label="Close message" onPress={close} className="absolute top-1.5 right-1.5">
        <IconX aria-hidden size={20} />
      </IconButton>
    </div>
  )
}
