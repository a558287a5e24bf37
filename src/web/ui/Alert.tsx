import {
  IconAlertTriangle,
  IconCircleCheck,
  IconExclamationCircle,
  IconInfoCircle,
} from '@tabler/icons-react'
import type { ReactNode } from 'react'
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
   * on the page from the start.
   */
  live?: 'off' | 'polite' | 'assertive'
  /** Layout only. */
  className?: string
}

/** Something that matters here, in place. */
export function Alert({ tone = 'info', title, children, actions, live = 'off', className }: AlertProps) {
  const { icon: Icon, box, mark } = looks[tone]
  const role = live === 'assertive' ? 'alert' : live === 'polite' ? 'status' : undefined
  return (
    <div
      role={role}
      className={classes('flex gap-3 rounded-lg border border-transparent p-4 text-ink', box, className)}
    >
      <Icon aria-hidden size={24} className={classes('shrink-0', mark)} />
      <div className="flex min-w-0 grow flex-col gap-1">
        {title && <p className="font-semibold">{title}</p>}
        {children && <div className="text-sm">{children}</div>}
        {actions && <div className="mt-2 flex flex-wrap gap-2">{actions}</div>}
      </div>
    </div>
  )
}
