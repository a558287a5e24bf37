import { IconPhone } from '@tabler/icons-react'
import { dialled, emergencyNumbers } from '#contract/emergency.ts'
import { classes } from '#web/ui/classes.ts'

/** Where to turn at once: In an emergency call 999 · NHS 111 · Samaritans 116 123. */
export function EmergencyLine({ isCompact }: { /** For the foot of something else. */ isCompact?: boolean }) {
  return (
    <p
      data-emergency={isCompact || undefined}
      className={classes(
        'flex flex-wrap items-center',
        isCompact ? 'gap-x-1 text-xs text-soft' : 'gap-x-4 text-sm sm:gap-x-2',
      )}
    >
      {!isCompact && <IconPhone aria-hidden size={20} className="text-ember-text" />}
      {emergencyNumbers.map(({ name, number }, at) => (
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
      ))}
    </p>
  )
}
