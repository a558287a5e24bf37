import { IconPhone } from '@tabler/icons-react'
import { dialled, emergencyNumbers } from '#contract/emergency.ts'

const when: Record<(typeof emergencyNumbers)[number]['number'], string> = {
  '999': 'Emergency: someone’s life is in danger, or someone is hurt',
  '111': 'NHS, for urgent help. Choose the mental health option',
  '116 123': 'Samaritans, free to call. They listen, whatever it is about',
}

/** The emergency numbers as buttons that call. */
export function EmergencyNumbers() {
  return (
    <ul data-emergency className="flex flex-col gap-3">
      {emergencyNumbers.map(({ number }) => (
        <li key={number}>
          <a
            href={dialled(number)}
            className="flex min-h-16 items-center gap-4 rounded-lg border border-edge bg-surface px-4 py-3 no-underline shadow-low transition-colors hover:border-ink"
          >
            <IconPhone aria-hidden size={26} className="shrink-0 text-ember-text" />
            <span className="min-w-0">
              <span className="block font-serif text-xl tabular-nums">
                <span className="sr-only">Call </span>
                {number}
              </span>
              <span className="block text-sm text-soft">{when[number]}</span>
            </span>
          </a>
        </li>
      ))}
    </ul>
  )
}

/** The same in one line, at the foot of every step. */
export function EmergencyStrip() {
  return (
    <aside
      data-emergency
      aria-label="If you are in danger"
      className="flex flex-wrap items-center gap-x-4 gap-y-1 rounded-lg border border-transparent bg-ember-soft px-4 py-3 text-sm"
    >
      <p>
        <strong>In danger?</strong> Call now, day and night:
      </p>
      <ul className="flex flex-wrap gap-x-5">
        {emergencyNumbers.map(({ number }) => (
          <li key={number} className="whitespace-nowrap">
            {shortNames[number]}{' '}
            <a href={dialled(number)} className="tappable font-semibold underline underline-offset-4">
              {number}
            </a>
          </li>
        ))}
      </ul>
    </aside>
  )
}

const shortNames: typeof when = { '999': 'Emergency', '111': 'NHS', '116 123': 'Samaritans' }
