import { IconPhone } from '@tabler/icons-react'
import { dialled, emergencyNumbers } from '#web/lib/emergency.ts'

/** Where to turn at once: In an emergency call 999 · NHS 111 · Samaritans 116 123. */
export function EmergencyLine() {
  return (
    <p className="flex flex-wrap items-center gap-x-2 text-sm">
      <IconPhone aria-hidden size={20} className="text-ember-text" />
      {emergencyNumbers.map(({ name, number }, at) => (
        <span key={number} className="whitespace-nowrap">
          {name}{' '}
          <a
            href={dialled(number)}
            className="inline-flex min-h-9 items-center font-semibold underline underline-offset-4"
          >
            {number}
          </a>
          {at < emergencyNumbers.length - 1 && (
            <span aria-hidden className="ml-2">
              ·
            </span>
          )}
        </span>
      ))}
    </p>
  )
}
