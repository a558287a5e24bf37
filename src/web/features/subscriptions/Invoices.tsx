import { useQuery } from '@tanstack/react-query'
import type { Invoice } from '#contract/subscriptions/subscriptions.ts'
import { callApiForFile } from '#web/lib/api.ts'
import { formatPounds } from '#web/lib/money.ts'
import { FileButton } from '#web/ui/FileButton.tsx'
import { Loading, Skeleton } from '#web/ui/Skeleton.tsx'
import { billingDay } from './billing-labels.ts'
import { invoicesQuery } from './subscription-queries.ts'
import { QueryError } from '#web/ui/QueryError.tsx'

/** What the platform has charged, with an invoice for each. */
export function Invoices() {
  const query = useQuery(invoicesQuery())
  const { data, error } = query
  if (!data) {
    if (!error) {
      return (
        <Loading label="Loading your invoices" className="flex flex-col gap-3">
          <Skeleton className="h-16 rounded-xl" />
          <Skeleton className="h-16 rounded-xl" />
        </Loading>
      )
    }
    return <QueryError level={3} title="Your invoices did not load" query={query} />
  }
  if (data.length === 0)
    return <p className="text-soft">None yet. You get one for each charge, here and by email.</p>
  return (
    <ul className="overflow-hidden rounded-xl border border-line bg-surface shadow-low">
      {data.map((invoice) => (
        <li
          key={invoice.id}
          className="flex flex-wrap items-center gap-x-4 gap-y-2 border-line px-5 py-4 not-first:border-t sm:px-6"
        >
          <span className="min-w-0 grow basis-56">
            <span className="block font-semibold">{invoice.description}</span>
            <span className="block text-sm text-soft">
              Invoice {invoice.number}, {billingDay(invoice.issued_at)}
            </span>
            {invoice.status !== 'paid' && <span className="block text-sm">{changeLabel(invoice)}</span>}
          </span>
          <span className="font-semibold tabular-nums">{formatPounds(invoice.amount)}</span>
          <FileButton
            label="PDF"
            name={`Invoice ${invoice.number} as PDF`}
            fetchFile={() =>
              callApiForFile('GET /therapist/invoices/{id}/pdf', { params: { id: invoice.id } })
            }
          />
        </li>
      ))}
    </ul>
  )
}

/** What became of it after it was paid. */
function changeLabel({ status, refunded }: Invoice): string {
  if (status === 'disputed') return 'Disputed through your bank, which has not decided yet.'
  if (status === 'taken_back') return 'Taken back by your bank.'
  return status === 'refunded' ? 'Refunded to your card.' : `${formatPounds(refunded)} refunded to your card.`
}
