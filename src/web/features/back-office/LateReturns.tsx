import { useQuery } from '@tanstack/react-query'
import type { LateReturn } from '#contract/back-office/payments.ts'
import { serverNow } from '#web/lib/clock.ts'
import { formatPounds } from '#web/lib/money.ts'
import { lateReturnsQuery } from './admin-queries.ts'
import { formatInstant } from './admin-labels.ts'
import { TaskAlert } from './TaskAlert.tsx'

/** Money that has been on its way back to clients for too long. Renders nothing if there is none. */
export function LateReturns() {
  const query = useQuery(lateReturnsQuery())
  const isOne = query.data?.total === 1
  return (
    <TaskAlert
      query={query}
      tone="danger"
      one="A refund is late"
      many="refunds are late"
      failure="Late refunds did not load"
      label="Late refunds"
      renderTask={(late) => <Late key={`${late.session_id} ${late.kind} ${late.since}`} late={late} />}
    >
      <p>
        {isOne ? 'On its way' : 'On their way'} for more than 20 hours, and promised within 24. The system
        keeps trying: please check with the payment provider.
      </p>
    </TaskAlert>
  )
}

function Late({ late }: { late: LateReturn }) {
  const { client, amount, card, since, promised_by: by, attempts } = late
  const isOver = Date.parse(by) <= serverNow()
  const tries = attempts === 1 ? 'once' : `${attempts} times`
  return (
    <li className="py-3">
      <p className="flex items-baseline justify-between gap-4 text-base font-semibold">
        <span className="min-w-0 break-words">{client.full_name}</span>
        <span className="tabular-nums">{formatPounds(amount)}</span>
      </p>
      <p className="font-semibold">
        {isOver ? 'Was promised by ' : 'Promised by '}
        {formatInstant(by)}
      </p>
      <p>
        {late.kind === 'refund' ? 'To be refunded' : 'Reserved, to be released'}, {card}. On its way since{' '}
        {formatInstant(since)}, tried without success {tries}.
      </p>
      <p className="break-all text-soft">
        {client.email && <span className="block">{client.email}</span>}
        Session {late.session_id}
      </p>
    </li>
  )
}
