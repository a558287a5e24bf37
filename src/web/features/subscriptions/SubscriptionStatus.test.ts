import { expect, test } from 'vitest'
import { standingLabel } from './SubscriptionStatus.tsx'

test.each([
  [false, null, /^We could not charge £30 for your first month\..* Clients find you once it is paid\.$/],
  [undefined, null, /^We could not charge £30 for your first month\./],
  // A suspension or a lapse has ended the month that was paid.
  [true, null, /^We could not charge £30 for your subscription\..* Clients find you once it is paid\.$/],
  [
    true,
    '2026-02-28T10:00:00Z',
    /^We could not charge £30 for your subscription\..* can no longer find you\.$/,
  ],
] as const)(
  'names a first month only where none was paid before: %s, paid until %s',
  (begun, paid_until, words) => {
    const dates = { next_charge_at: '2026-03-02T10:00:00Z', lapses_at: '2026-03-08T10:00:00Z' }
    expect(
      standingLabel({ status: 'past_due', price: 30, paid_until, begun, paused_for: null, ...dates }),
    ).toMatch(words)
  },
)
