import { useQuery } from '@tanstack/react-query'
import type { LateReturn } from '#contract/payment-desk.ts'
import { formatPounds } from '#web/lib/money.ts'
import { Notice } from '#web/ui/Notice.tsx'
import { lateReturnsQuery } from './office-queries.ts'
import { instantInWords } from './office-words.ts'

/** Money that has been on its way back to clients for too long: nothing at all where there is none. */
export function LateReturns() {
  const { data } = useQuery(lateReturnsQuery())
  if (!data || data.total === 0) return null
  const { total } = data
  return (
    <Notice
      tone="danger"
      live="polite"
      title={
        total === 1
          ? 'Money has been on its way back to a client for more than 20 hours'
          : `Money has been on its way back to clients for more than 20 hours, ${total} times`
      }
    >
      <p>
        They are promised it within 24 hours. It is still tried for by itself; please look at the payment
        provider.
      </p>
      <ul className="mt-2 flex flex-col gap-2">
        {data.data.map((late) => (
          <li key={`${late.session_id} ${late.since}`} className="break-words">
            {inWords(late)}
          </li>
        ))}
      </ul>
      {total > data.data.length && <p className="mt-2">And {total - data.data.length} more.</p>}
    </Notice>
  )
}

function inWords(late: LateReturn): string {
  const who = late.client.email ? `${late.client.full_name} (${late.client.email})` : late.client.full_name
  const what = late.kind === 'refund' ? 'refund' : 'reserved and not yet released'
  const tries = late.attempts === 1 ? 'once' : `${late.attempts} times`
  return `${formatPounds(late.amount)}, ${what}: ${who}, ${late.card}. Since ${instantInWords(late.since)}, to be done by ${instantInWords(late.promised_by)}; tried in vain ${tries}. Session ${late.session_id}.`
}
