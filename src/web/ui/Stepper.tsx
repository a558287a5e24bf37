import { IconCheck } from '@tabler/icons-react'
import { classes } from './classes.ts'

/** The steps of one task. `current` counts from 0. On a phone only the current one is named. */
export function Stepper({
  label,
  steps,
  current,
}: {
  label: string
  steps: readonly string[]
  current: number
}) {
  return (
    <nav aria-label={label}>
      <p className="text-sm text-soft sm:hidden">
        Step {current + 1} of {steps.length}: <strong className="text-ink">{steps[current]}</strong>
      </p>
      <ol className="mt-2 flex gap-1.5 sm:mt-0 sm:gap-3">
        {steps.map((step, at) => (
          <li
            key={step}
            aria-current={at === current ? 'step' : undefined}
            className={classes(
              'flex grow items-center gap-2 border-t-4 pt-2 text-sm',
              at <= current ? 'border-action' : 'border-line',
            )}
          >
            <span
              aria-hidden
              className={classes(
                'hidden size-6 place-items-center rounded-full border text-xs font-semibold tabular-nums sm:grid',
                at < current && 'border-action bg-action text-on-action',
                at === current && 'border-action text-action',
                at > current && 'border-edge text-soft',
              )}
            >
              {at < current ? <IconCheck size={14} stroke={3} /> : at + 1}
            </span>
            <span
              className={classes('sr-only sm:not-sr-only', at === current ? 'font-semibold' : 'text-soft')}
            >
              {step}
              {at < current && <span className="sr-only"> (done)</span>}
            </span>
          </li>
        ))}
      </ol>
    </nav>
  )
}
