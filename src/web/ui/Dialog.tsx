import { type ComponentType, useId, useLayoutEffect, useRef } from 'react'
import { createPortal } from 'react-dom'
import { fetchAhead, latePart, useLatePart } from '../lib/late-part.tsx'
import { useLate } from '../lib/use-late.ts'
import { Button } from './Button.tsx'
import type { DialogProps } from './OpenDialog.tsx'
import { Spinner } from './Spinner.tsx'

/** Most pages have dialogs, and few people open one: the kit that they stand on comes when one is opened. */
const OpenDialog = latePart(() => import('./OpenDialog.tsx'))

/** Fetches what every dialog stands on, where one must not wait for it. */
export const fetchDialogs = (): void => fetchAhead(OpenDialog)

/** Something to finish or leave before going on. Keeps the focus inside and gives it back; Escape and a press outside close it. */
export function Dialog(props: DialogProps) {
  const { isOpen = true, isStubborn, onClose } = props
  const close = isStubborn ? undefined : onClose
  useEarlyEscape(isOpen, close)
  const part = useLatePart(OpenDialog, isOpen ? 'at once' : 'not yet')
  if (part.status === 'ready') return <OpenDialog {...props} />
  return isOpen && <Waiting part={part} onClose={close} />
}

/**
 * A dialog of some weight, whose code comes when it is first rendered: `lateDialog(() => import('./CancelSession.tsx'))`.
 * It is open for as long as it is rendered, or as its own `isOpen` says.
 */
export function lateDialog<P extends { onClose(): void; isOpen?: boolean }>(
  fetchPart: () => Promise<{ default: ComponentType<P> }>,
): ComponentType<P> {
  const Part = latePart(async () => {
    const [part] = await Promise.all([fetchPart(), OpenDialog.load()])
    return part
  })
  return function Late(props) {
    const { isOpen = true, onClose } = props
    const part = useLatePart(Part, isOpen ? 'at once' : 'not yet')
    const isReady = part.status === 'ready'
    useEarlyEscape(isOpen && !isReady, onClose)
    if (isReady) return <Part {...props} />
    return isOpen && <Waiting part={part} onClose={onClose} />
  }
}

/** A dialog on its way. The focus stays where it is until there is something to press, so that the dialog can give it back. */
function Waiting({
  part: { status, retry },
  onClose,
}: {
  part: ReturnType<typeof useLatePart>
  onClose: (() => void) | undefined
}) {
  // Shorter waits go unmarked, without a flash.
  const isLate = useLate(status === 'loading', 80)
  if (status === 'failed') {
    const close =
      onClose &&
      (() => {
        retry()
        onClose()
      })
    return createPortal(<NotOpened onRetry={retry} onClose={close} />, document.body)
  }
  return (
    isLate &&
    createPortal(
      <div className="fixed inset-0 z-40 grid place-items-center bg-veil">
        <output className="rounded-full bg-raised p-4 shadow-high">
          <Spinner label="Opening" size={28} />
        </output>
      </div>,
      document.body,
    )
  )
}

/** In the place of a dialog whose code did not come: the browser's own, which needs none. */
function NotOpened({ onRetry, onClose }: { onRetry(): void; onClose: (() => void) | undefined }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  useLayoutEffect(() => {
    const shown = dialog.current
    shown?.showModal()
    // Gives the focus back to what opened it.
    return () => shown?.close()
  }, [])
  return (
    <dialog
      ref={dialog}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault()
        onClose?.()
      }}
      className="m-auto max-w-lg flex-col gap-4 rounded-xl border border-transparent bg-paper p-6 text-ink shadow-high backdrop:bg-veil open:flex"
    >
      <h2 id={titleId} className="text-2xl">
        This did not open
      </h2>
      <p>A part of this page did not load. Please check your connection and try again.</p>
      <div className="flex flex-wrap gap-3">
        <Button onPress={onRetry}>Try again</Button>
        {onClose && (
          <Button variant="secondary" onPress={onClose}>
            Close
          </Button>
        )}
      </div>
    </dialog>
  )
}

/**
 * Escape before the focus has moved inside, which takes a moment: the dialog itself hears only what happens within. From
 * then on, or within anything that opens on top, this hears nothing.
 */
function useEarlyEscape(isOpen: boolean, onEscape: (() => void) | undefined): void {
  const isActive = isOpen && onEscape !== undefined
  const latest = useRef(onEscape)
  useLayoutEffect(() => {
    latest.current = onEscape
  })
  useLayoutEffect(() => {
    if (!isActive) return undefined
    const opener = document.activeElement
    const listen = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented) return
      if (event.target !== opener && event.target !== document.body) return
      latest.current?.()
      giveBack(opener)
    }
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [isActive])
}

/** A dialog that never had the focus does not give it back: what opened it lost it as the page behind became inert. */
function giveBack(opener: Element | null): void {
  requestAnimationFrame(() =>
    requestAnimationFrame(() => {
      if (document.activeElement === document.body && opener instanceof HTMLElement) opener.focus()
    }),
  )
}
