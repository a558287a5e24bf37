import { IconCoinPound } from '@tabler/icons-react'
import type { FollowedAppointment } from '#contract/bookings/bookings.ts'
import type { HelpDispatch } from '#contract/get-help/help-dispatch.ts'
import { moneyLabel } from './help-labels.ts'

/** Where the client's money is. Heard when it changes by itself. */
export function MoneyState({
  money,
  session,
}: {
  money: HelpDispatch['money']
  session: FollowedAppointment
}) {
  const { title, text } = moneyLabel(money, session)
  return (
    <output className="flex gap-3 rounded-lg border border-line bg-surface p-4">
      <IconCoinPound aria-hidden size={24} className="shrink-0 text-action" />
      <span>
        <span className="block font-semibold">{title}</span>
        <span className="block text-sm text-soft">{text}</span>
      </span>
    </output>
  )
}
