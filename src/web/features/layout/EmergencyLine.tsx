import { IconPhone } from '@tabler/icons-react'
import { dialled, emergencyNumbers } from '#contract/emergency.ts'
import { classes } from '#web/ui/classes.ts'

/** Where to turn at once: In an emergency call 999 · NHS 111 · Samaritans 116 123. */
export function EmergencyLine({ isCompact }: { /** For the foot of something else. */ isCompact?: boolean }) {
  const numbers = emergencyNumbers.map(({ name, number }, at) => (
    <span key={number} className="whitespace-nowrap">
      {name}{' '}
      <a
        href={dialled(number)}
        className={classes(
          'inline-flex items-center font-semibold underline underline-offset-4',
          isCompact ? 'min-h-7' : 'min-h-9',
        )}
      >
        {number}
      </a>
      {at < emergencyNumbers.length - 1 && (
        <span aria-hidden className={isCompact ? 'ml-1' : 'ml-2 max-sm:hidden'}>
          ·
        </span>
      )}
    </span>
  ))
  if (isCompact)
    return (
      <p data-emergency className="flex flex-wrap items-center gap-x-1 text-xs text-soft">
        {numbers}
      </p>
    )
  return (
    <p className="flex flex-wrap gap-x-3 text-sm sm:gap-x-2">
      <IconPhone aria-hidden size={20} className="mt-2 shrink-0 text-ember-text" />
      <span className="flex min-w-[min(12rem,100%)] grow basis-0 flex-wrap items-center gap-x-4 sm:gap-x-2">
        {numbers}
      </span>
    </p>
  )
}
