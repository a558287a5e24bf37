import { IconPhone } from '@tabler/icons-react'

const numbers = [
  { name: 'In an emergency call', number: '999' },
  { name: 'NHS', number: '111' },
  { name: 'Samaritans', number: '116 123' },
]

/** Where to turn at once: In an emergency call 999 · NHS 111 · Samaritans 116 123. */
export function EmergencyLine() {
  return (
    <p className="flex flex-wrap items-center gap-x-2 text-sm">
      <IconPhone aria-hidden size={20} className="text-ember-text" />
      {numbers.map(({ name, number }, at) => (
        <span key={number} className="whitespace-nowrap">
          {name}{' '}
          <a
            href={`tel:${number.replace(' ', '')}`}
            className="inline-flex min-h-9 items-center font-semibold underline underline-offset-4"
          >
            {number}
          </a>
          {at < numbers.length - 1 && (
            <span aria-hidden className="ml-2">
              ·
            </span>
          )}
        </span>
      ))}
    </p>
  )
}
