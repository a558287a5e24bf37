import {
  IconAlertTriangle,
  IconCircleCheck,
  IconExclamationCircle,
  IconInfoCircle,
} from '@tabler/icons-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { announce } from '../lib/announce.ts'
import { useHydrated } from '../lib/hydrated.ts'
import { classes } from './classes.ts'

export type AlertTone = 'info' | 'success' | 'warning' | 'danger'

const looks = {
  info: { icon: IconInfoCircle, box: 'bg-info-soft', mark: 'text-info' },
  success: { icon: IconCircleCheck, box: 'bg-action-soft', mark: 'text-on-action-soft' },
  warning: { icon: IconAlertTriangle, box: 'bg-warning-soft', mark: 'text-warning' },
  danger: { icon: IconExclamationCircle, box: 'bg-danger-soft', mark: 'text-danger' },
}

export type AlertProps = {
  tone?: AlertTone
  title?: ReactNode
  children?: ReactNode
  /** What can be done about it. */
  actions?: ReactNode
  /**
   * Whether a screen reader hears it when it appears by itself: `polite` waits, `assertive` interrupts. Off for what is
   * on the page from the start, and for long lists.
   */
  live?: 'off' | 'polite' | 'assertive'
  /** Layout only. */
  className?: string
}

/** Something that matters here, in place. */
export function Alert({ tone = 'info', title, children, actions, live = 'off', className }: AlertProps) {
  const { icon: Icon, box, mark } = looks[tone]
  const isPolite = live === 'polite'
  const words = useReadOut(isPolite)
  return (
    <div
      role={isPolite ? 'status' : live === 'assertive' ? 'alert' : undefined}
      // It is read out by the announcer, and in a live region around it not once more.
      aria-live={isPolite ? 'off' : undefined}
      className={classes('flex gap-3 rounded-lg border border-transparent p-4 text-ink', box, className)}
    >
      <Icon aria-hidden size={24} className={classes('shrink-0', mark)} />
      <div className="flex min-w-0 grow flex-col gap-1">
        <div ref={words} className="flex flex-col gap-1">
          {title && <p className="font-semibold">{title}</p>}
          {children && <div className="text-sm">{children}</div>}
        </div>
        {actions && <div className="mt-2 flex flex-wrap gap-2">{actions}</div>}
      </div>
    </div>
  )
}

/**
 * Has words read out when they appear by themselves, and again when they change. Not those that the page was sent with.
 * A live region of their own would stay silent: screen readers listen only to regions that were there before.
 */
function useReadOut(isWanted: boolean) {
  const words = useRef<HTMLDivElement>(null)
  const known = useRef('')
  const isHydrated = useHydrated()
  useEffect(() => {
    const text = (isWanted && words.current?.innerText) || ''
    if (text === known.current) return
    known.current = text
    if (isHydrated && text) text.split(/\n+/).forEach(announce)
  })
  return words
}
